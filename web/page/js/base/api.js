// SPDX-License-Identifier: MIT
// The API of puzzled-web (docs/web.md). Addresses are relative, so that the page works below any path.

const base = new URL("api/v1/", document.baseURI);
const TRIES = 15; // of a request that comes too soon, a second or two after each other

/** An error that the API told: code, retry, text and further fields as in docs/protocol.md. */
export class ApiError extends Error {
  constructor({ code, retry, text, ...fields }) {
    super(text);
    this.code = code;
    this.retry = retry;
    this.fields = fields;
  }
}

async function request(path, parameters, options, tries = TRIES) {
  const url = new URL(path, base);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== null && value !== "") url.searchParams.set(name, value);
  let response;
  try {
    response = await fetch(url, options);
  } catch {
    throw new ApiError({ code: "unreachable", retry: true, text: "puzzled-web" });
  }
  // What stands between may answer with no JSON, an address too long for a proxy with a page: that is no silence.
  const answer = await response.json().catch(() => ({ error: { code: response.ok ? "internal" : "bad-request", retry: false, text: `HTTP ${response.status}` } }));
  // Many behind one address, a class, may ask too much at once. That a visitor has too many searches is for him to mend.
  if (response.status === 429 && !answer.error?.visitor_jobs && tries > 1) {
    await new Promise((resolve) => setTimeout(resolve, 1000 * (1 + Math.random())));
    return request(path, parameters, options, tries - 1);
  }
  // A text is the code of a failed job, in its result.
  if (answer.error?.code) throw new ApiError(answer.error);
  return answer;
}

export function get(path, parameters = {}) {
  return request(path, parameters, { cache: "no-store" });
}

export function post(path, body = {}) {
  const headers = { "Content-Type": "application/json", "X-Puzzled": "1" };
  return request(path, {}, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Starts a job; returns its number. */
export async function submit(kind, keys) {
  return (await post("jobs", { kind, ...keys })).job;
}

export const ended = (state) => !["queued", "running"].includes(state);

/**
 * Follows a job to its end, also over a restart of the daemon: onEvent is called with each event. Returns a function
 * that stops it.
 */
export function watch(job, onEvent, onGone = () => {}) {
  let source = null;
  let timer = 0;
  let stopped = false;
  const again = (delay) => {
    source?.close();
    if (!stopped) timer = setTimeout(open, delay);
  };
  const open = () => {
    source = new EventSource(new URL(`jobs/${job}/events`, base));
    source.onmessage = (message) => {
      const event = JSON.parse(message.data);
      if (ended(event.state)) stop();
      onEvent(event);
    };
    source.addEventListener("refused", () => again(1000));
    source.onerror = async () => {
      source.close();
      // An error of a stream has no reason: the job's state says whether there is something to wait for.
      try {
        await get(`jobs/${job}`);
        again(1000);
      } catch (error) {
        if (error.retry) again(2000);
        else if (!stopped) onGone(error);
      }
    };
  };
  const stop = () => {
    stopped = true;
    clearTimeout(timer);
    source?.close();
  };
  open();
  return stop;
}

/** Resolves with the state in which a job ended; told(event) is called with each event until then. */
export function finished(job, told = () => {}) {
  return new Promise((resolve, reject) => {
    watch(job, (event) => (ended(event.state) ? resolve(event.state) : told(event)), reject);
  });
}
