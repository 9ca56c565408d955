/**
 * The import of a file of users. A browser sends the whole body of a request before it reads a word of the answer, and the
 * server stops reading when too many answers wait; so the file goes in parts, each a request of its own, and the answers of
 * a part are read as they come. What was answered is known by its line, so that an import that broke off goes on there.
 */
import { ApiError, onSignOut, sendLines } from "./api.js";
import { keep, named } from "./files.js";
import { number, size, t } from "./messages.js";
import { action, alert, form, html, nothing, table, update } from "./parts.js";

const x = t.imports;
const PART_BYTES = 512 * 1024;
const PART_LINES = 5000; // even if each fails, the server keeps their answers
const LINE_FEED = 10;
const SHOWN = 100;
const TRIES = 20; // while other imports run
const SECOND = 1000;

let run = null;

onSignOut(() => {
  run?.stop?.abort();
  if (run) {
    run.project = null; // it is not for the person who signs in next
  }
});
addEventListener("beforeunload", (event) => {
  if (run?.stop) {
    event.preventDefault();
  }
});

/** Up to the end of a line, unless one is longer than a part: the server says that it is too long. */
async function partOf(file, from) {
  const bytes = new Uint8Array(await file.slice(from, from + PART_BYTES).arrayBuffer());
  let end = 0;
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0 && lines < PART_LINES; at = bytes.indexOf(LINE_FEED, at + 1)) {
    end = at + 1;
    lines++;
  }
  const isLast = from + bytes.length >= file.size && lines < PART_LINES;
  return isLast || end === 0 ? { bytes, lines } : { bytes: bytes.subarray(0, end), lines };
}

function take(answers) {
  for (const answer of answers) {
    if (answer.done) {
      run.isAnswered = true;
    } else if (answer.error) {
      throw new ApiError(answer.error.statusCode, answer.error.message);
    } else {
      run.skip = answer.line;
      run.counts[answer.status]++;
      if (answer.status === "failed") {
        fail(run.lines + answer.line, answer.errors);
      }
    }
  }
  update();
}

/** The first ones are shown; all are in the report, which a browser may keep on its disk. */
function fail(line, errors) {
  if (run.failed.length < SHOWN) {
    run.failed.push([line, errors.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join("; ")]);
  }
  run.unsaved.push(`${JSON.stringify({ line, errors })}\n`);
}

function report() {
  run.report = new Blob([run.report, ...run.unsaved]);
  run.unsaved = [];
}

const pause = () => new Promise((resolve) => setTimeout(resolve, SECOND));

async function sendPart(part) {
  const query = new URLSearchParams({ projectId: run.project, ignoreUnknown: run.ignoreUnknown, skip: run.skip });
  run.isAnswered = false;
  await sendLines(`dashboard/users/import?${query}`, part.bytes, run.stop.signal, take);
  if (!run.isAnswered) {
    throw new ApiError(0, t.offline);
  }
}

async function go() {
  run.stop = new AbortController();
  run.message = "";
  update();
  let tries = 0;
  try {
    while (run.sent < run.file.size) {
      const part = await partOf(run.file, run.sent);
      run.part = part;
      try {
        await sendPart(part);
      } catch (refused) {
        if (refused.status !== 503 || ++tries === TRIES) {
          throw refused;
        }
        await pause();
        run.stop.signal.throwIfAborted();
        continue;
      }
      tries = 0;
      run.sent += part.bytes.length;
      run.lines += part.lines;
      run.skip = 0;
      report();
      update();
    }
    run.isDone = true;
  } catch (refused) {
    run.message = run.stop.signal.aborted ? x.stopped : refused instanceof ApiError ? refused.message : x.unreadable;
  } finally {
    report();
    run.stop = null;
    update();
  }
}

/** Of a part that is being answered, what its answers are worth. */
function sent() {
  const { part, skip } = run;
  return run.sent + (part && skip ? Math.round((part.bytes.length * skip) / Math.max(part.lines, skip)) : 0);
}

export function imports(space) {
  const choose = form("import", {
    fields: [
      { name: "file", type: "file", label: x.file, help: x.fileHelp, required: true },
      { name: "ignoreUnknown", type: "checkbox", label: x.ignoreUnknown },
    ],
    button: x.start,
    submit: async ({ ignoreUnknown }, element) => {
      const [file] = element.elements.namedItem("file").files;
      if (!file) {
        throw new ApiError(422, x.noFile, [{ field: "file", message: x.noFile }]);
      }
      if (run?.stop) {
        throw new ApiError(409, x.another);
      }
      const counts = { created: 0, exists: 0, failed: 0 };
      const report = new Blob([]);
      run = { project: space.id, file, ignoreUnknown, sent: 0, lines: 0, skip: 0, counts, failed: [], unsaved: [], report };
      go();
    },
  });
  const facts = () => html`<dl>
    <dt>${x.file}</dt>
    <dd>${run.file.name}</dd>
    <dt>${x.progress}</dt>
    <dd>${t.of(size(sent()), size(run.file.size))}</dd>
    ${Object.entries(run.counts).map(
      ([status, count]) =>
        html`<dt>${x[status]}</dt>
          <dd data-status=${status}>${number(count)}</dd>`,
    )}
  </dl>`;
  const failed = () => html`<h3 class="next">${x.failedLines}</h3>
    ${table(x.failedLines, [x.line, x.reason], run.failed.map(([line, reason]) => [number(line), reason]))}
    ${run.counts.failed > run.failed.length ? html`<p class="help">${x.firstOnly(number(SHOWN))}</p>` : nothing}
    ${run.stop
      ? nothing
      : html`<button type="button" @click=${action(() => keep(run.report, named("import-failures", "ndjson")))}>
          ${x.saveReport}
        </button>`}`;
  const state = () => html`${run.stop
      ? html`<progress aria-label=${x.progress} max=${run.file.size} .value=${sent()}></progress>`
      : run.isDone
        ? html`<p role="status"><strong>${x.done}</strong></p>`
        : alert(run.message)}
    ${facts()}
    <div class="row">
      ${run.stop
        ? html`<button type="button" @click=${() => run.stop.abort()}>${x.stop}</button>`
        : html`${run.isDone ? nothing : html`<button type="button" class="main" @click=${go}>${x.goOn}</button>`}
            <button
              type="button"
              @click=${() => {
                run = null;
                update();
              }}
            >
              ${x.other}
            </button>`}
    </div>
    ${run.counts.failed > 0 ? failed() : nothing}`;
  return () => html`<section>
    <p class="crumb"><a href="#/projects/${space.id}/users">${t.users.back}</a></p>
    <h2>${x.title}</h2>
    <p class="note">${x.help} <a href="../docs/migration/">${x.guide}</a></p>
    ${!space.owner ? nothing : run?.project === space.id ? state() : choose()}
  </section>`;
}
