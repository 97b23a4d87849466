/* SPDX-License-Identifier: MIT */
/*
 * The classic layouts by name, in traditional and simplified characters. Names and boards are those of
 * fayaa.com's collection (tests/data/klotski.csv has their optimal lengths). Elsewhere the names may stand
 * for other boards.
 */
#include "space/klotski/klotski.h"

#include <string.h>

static const struct klotski_layout layouts[] = {
    {"橫刀立馬", "横刀立马", "HAAI/HAAI/JBBK/JNOK/P@@Q", 81, 116},
    {"指揮若定", "指挥若定", "HAAI/HAAI/NBBO/JPQK/J@@K", 70, 100},
    {"將擁曹營", "将拥曹营", "@AA@/HAAI/HJKI/NJKO/BBPQ", 72, 101},
    {"齊頭並進", "齐头并进", "HAAI/HAAI/NOPQ/JBBK/J@@K", 60, 85},
    {"兵分三路", NULL, "NAAO/HAAI/HBBI/JPQK/J@@K", 72, 92},
    {"雨聲淅瀝", "雨声淅沥", "HAAN/HAAO/IBBJ/IK@J/PK@Q", 47, 60},
    {"左右佈兵", "左右布兵", "NAAO/PAAQ/HIJK/HIJK/@BB@", 54, 78},
    {"桃花園中", "桃花园中", "NAAO/HAAI/HJKI/PJKQ/@BB@", 70, 100},
    {"一路進軍", "一路进军", "HAAN/HAAO/IJKP/IJKQ/@BB@", 58, 81},
    {"一路順風", "一路顺风", "HAAN/HAAO/IBBJ/IPKJ/@QK@", 39, 49},
    {"圍而不殲", "围而不歼", "HAAN/HAAO/IBBP/IJKQ/@JK@", 62, 80},
    {"捷足先登", NULL, "NAAO/PAAQ/@BB@/HIJK/HIJK", 32, 47},
    {"插翅難飛", "插翅难飞", "HAAN/HAAO/BBPQ/ICCJ/I@@J", 62, 77},
    {"守口如瓶1", NULL, "HAAI/HAAI/NJ@O/PJ@Q/BBCC", 81, 103},
    {"守口如瓶2", NULL, "NAAO/HAAI/HJ@I/PJ@Q/BBCC", 99, 131},
    {"雙將擋路", "双将挡路", "HAAN/HAAO/IBBJ/ICCJ/P@@Q", 73, 92},
    {"橫馬當關", "横马当关", "HAAI/HAAI/BBCC/NJ@O/PJ@Q", 83, 110},
    {"層層設防1", "层层设防1", "HAAI/HAAI/NBBO/PCCQ/@DD@", 102, 138},
    {"層層設防2", "层层设防2", "NAAO/HAAI/HBBI/PCCQ/@DD@", 120, 158},
    {"兵擋將阻", "兵挡将阻", "NAAH/OAAH/IBBP/ICCQ/@DD@", 87, 118},
    {"堵塞要道", NULL, "NAAO/PAAQ/HIBB/HICC/@DD@", 40, 53},
    {"甕中之鼈", "瓮中之鳖", "HAAI/HAAI/BBCC/NDDO/P@@Q", 103, 134},
    {"層巒疊嶂", "层峦叠嶂", "HAAI/HAAI/NBBO/CCDD/P@@Q", 98, 135},
    {"水泄不通", NULL, "HAAN/HAAO/BBCC/DDEE/P@@Q", 79, 114},
    {"四路進兵", "四路进兵", "NAAO/PAAQ/H@BB/H@CC/DDEE", 77, 109},
    {"入地無門", "入地无门", "HAAN/HAAO/PBBQ/CCDD/@EE@", 87, 124},
    {"勇闖五關", "勇闯五关", "NAAO/PAAQ/BBCC/DDEE/@FF@", 34, 46},
    {"一橫最難解的佈局", "一横最难解的布局", "HAAN/HAAI/BBJI/KOJP/K@@Q", 84, 116},
    {"一橫最容易解的佈局1", "一横最容易解的布局1", "NAAO/PAAQ/@BB@/HIJK/HIJK", 32, 47},
    {"一橫最容易解的佈局2", "一横最容易解的布局2", "NAAO/HAAI/HPQI/JBBK/J@@K", 32, 45},
    {"二橫最難解的佈局", "二横最难解的布局", "NAAH/OAAH/BBIJ/PQIJ/@CC@", 103, 140},
    {"二橫最容易解的佈局", "二横最容易解的布局", "NAAH/OAAH/IJBB/IJPQ/@CC@", 56, 70},
    {"三橫最難解的佈局", "三横最难解的布局", "NAAO/HAAI/HBBI/PCCQ/@DD@", 120, 158},
    {"三橫最容易解的佈局", "三横最容易解的布局", "NAAO/PAAQ/HIBB/HICC/@DD@", 40, 53},
    {"四橫最難解的佈局", "四横最难解的布局", "HAAN/HAAO/PBBQ/CCDD/@EE@", 87, 124},
    {"四橫最易解的佈局", "四横最易解的布局", "NAAO/HAAP/HQBB/CCDD/@EE@", 69, 96},
    {"亂石崩雲", "乱石崩云", "NAAH/IAAH/IJBB/OJPK/Q@@K", 84, 116},
    {"背水列陣", "背水列阵", "HBBI/HNOI/@AA@/PAAQ/CCDD", 54, 75},
    {"四面楚歌", NULL, "HNOI/HAAI/PAAJ/KBBJ/K@@Q", 56, 73},
    {"前呼後擁", "前呼后拥", "NOAA/BBAA/CCDD/EEFF/@@PQ", 22, 31},
    {"兵臨曹營", "兵临曹营", "NAAO/PAAQ/HBBI/HJKI/@JK@", 34, 49},
    {"五將逼宮", "五将逼宫", "BBCC/HAAI/HAAI/NDDO/P@@Q", 36, 49},
    {"雲遮霧障", "云遮雾障", "HAAI/HAAI/JBBN/JCCO/P@@Q", 81, 104},
    {"iPhone關卡1", "iPhone关卡1", "HAAI/HAAI/NOPQ/RBBS/T@@U", 38, 55},
    {"三軍聯防", "三军联防", "AAHI/AAHI/BBCC/NDDO/P@@Q", 65, 89},
    {"前擋後阻", "前挡后阻", "AABB/AAHN/IJHO/IJPQ/@CC@", 42, 53},
    {"近在咫尺", NULL, "NHIJ/OHIJ/BBPQ/CCAA/@@AA", 98, 124},
    {"走投無路", "走投无路", "HAAI/HAAI/JKNL/JKOL/P@@Q", -1, -1},
    {"小燕出巢", NULL, "HAAI/HAAI/BBCC/NDDO/P@@Q", 103, 134},
    {"比翼橫空", "比翼横空", "BBAA/CCAA/DDEE/N@OH/P@QH", 28, 39},
    {"夾道藏兵", "夹道藏兵", "AANH/AAOH/BBCC/DDEE/P@@Q", 75, 107},
    {"屯兵東路", "屯兵东路", "AAHI/AAHI/BBNO/JKPQ/JK@@", 71, 102},
    {"四將連關", "四将连关", "AABB/AACC/HIDD/HINO/P@@Q", 39, 55},
    {"近在咫尺2", NULL, "HINO/HIJP/BBJQ/CCAA/@@AA", 105, 133},
    {"峰迴路轉", "峰回路转", "NOPH/AAIH/AAIJ/@BBJ/@QCC", 138, 179},
    {"井底之蛙", NULL, "NBBO/HAAI/HAAI/PCCQ/@DD@", 68, 88},
    {"插翅難飛2", "插翅难飞2", "NBBO/HAAI/HAAI/P@@Q/CCDD", 63, 81},
    {"似遠實近", "似远实近", "AABB/AACC/@@NO/HIPJ/HIQJ", 15, 24},
    {"近在咫尺3", NULL, "@HNO/IHJP/IQJ@/BBAA/CCAA", 105, 131},
    {"五橫最難的開局", "五横最难的开局", "AANO/AABB/CCDD/PEE@/FFQ@", 56, 75},
};

/* Names in the Latin alphabet, for keyboards without Chinese input. */
static const char *const latin[][2] = {
    {"classic", "橫刀立馬"},
    {"hengdaolima", "橫刀立馬"},
};

const struct klotski_layout *klotski_layout_at(unsigned number)
{
    return number < sizeof layouts / sizeof layouts[0] ? &layouts[number] : NULL;
}

const char *klotski_layout(const char *name)
{
    for (size_t i = 0; i < sizeof latin / sizeof latin[0]; i++)
        if (strcmp(latin[i][0], name) == 0)
            name = latin[i][1];
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        const struct klotski_layout *layout = &layouts[i];
        if (strcmp(layout->traditional, name) == 0 ||
            (layout->simplified != NULL && strcmp(layout->simplified, name) == 0))
            return layout->board;
    }
    return NULL;
}

/* Returns how many bytes two names have in common from their first. */
static size_t common_bytes(const char *name, const char *other)
{
    size_t common = 0;
    while (other != NULL && name[common] != '\0' && name[common] == other[common])
        common++;
    return common;
}

const char *klotski_layout_near(const char *name)
{
    const char *near = NULL;
    size_t most = 2; /* more: three Latin letters, or a Chinese character, which has three bytes */
    for (size_t i = 0; i < sizeof latin / sizeof latin[0]; i++)
        if (common_bytes(name, latin[i][0]) > most) {
            most = common_bytes(name, latin[i][0]);
            near = latin[i][0];
        }
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        const char *const names[] = {layouts[i].simplified, layouts[i].traditional};
        for (size_t j = 0; j < 2; j++)
            if (common_bytes(name, names[j]) > most) {
                most = common_bytes(name, names[j]);
                near = names[j];
            }
    }
    return near;
}

const struct klotski_layout *klotski_layout_of(const char *size)
{
    const size_t length = strcspn(size, ",");
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        if (strlen(layouts[i].board) == length && strncmp(layouts[i].board, size, length) == 0)
            return &layouts[i];
    return NULL;
}
