// @ts-check
/**
 * The import of a file of users. A browser sends the whole body of a request before it reads a word of the answer, and the
 * server stops reading when too many answers wait; so the file goes in parts, each a request of its own, and the answers to
 * a part are read as they arrive. The page knows the last answered line, so that an interrupted import can continue there.
 */
import { ApiError, asRefusal, onSignOut, sendLines } from "../api.js";
import { datedName, saveFile } from "./files.js";
import { fill, formatBytes, formatNumber, messages } from "../messages.js";
import { alertView, formView, html, nothing, reported, tableView, update } from "../parts.js";

const texts = messages.imports;
const PART_BYTES = 512 * 1024;
const PART_LINES = 5000; // so small that the server can hold the answers even if every line fails
const LINE_FEED = 10;
const SHOWN = 100;
const TRIES = 20; // while other imports run
const SECOND = 1000;
const COUNTS = /** @type {const} */ (["created", "exists", "failed"]);

/**
 * One import, from choosing a file until another one is chosen.
 * @typedef ImportRun
 * @property {string | null} project
 * @property {File} file
 * @property {boolean} ignoreUnknown
 * @property {boolean} dryRun whether it only says what would happen
 * @property {number} sent bytes of parts that are answered
 * @property {number} lines of these parts
 * @property {number} skip lines of the part after them that are answered
 * @property {Part} [part]
 * @property {boolean} isAnswered whether the part is answered to its end
 * @property {Record<"created" | "exists" | "failed", number>} counts
 * @property {[line: number, reason: string][]} failed
 * @property {[line: number, reason: string][]} warned
 * @property {string[]} unsaved lines of the report
 * @property {Blob} report
 * @property {AbortController | null} stop of one that goes on
 * @property {string} message
 * @property {boolean} isDone
 */

/** @typedef {{ bytes: Uint8Array<ArrayBuffer>, lines: number }} Part */

/** @type {ImportRun | null} */
let current = null;

onSignOut(() => {
  current?.stop?.abort();
  if (current) {
    current.project = null; // the person who signs in next must not see it
  }
});
addEventListener("beforeunload", (event) => {
  if (current?.stop) {
    event.preventDefault();
  }
});

/**
 * Up to the end of a line. If a line is longer than a part, the server refuses it as too long.
 * @param {File} file
 * @param {number} from
 * @returns {Promise<Part>}
 */
async function readPart(file, from) {
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

/**
 * @param {ImportRun} run
 * @param {ImportAnswer[]} answers
 */
function countAnswers(run, answers) {
  for (const answer of answers) {
    if (answer.done) {
      run.isAnswered = true;
    } else if (answer.error) {
      throw new ApiError(answer.error.statusCode, answer.error.message);
    } else {
      run.skip = answer.line;
      run.counts[answer.status]++;
      if (answer.status === "failed") {
        recordFailure(run, run.lines + answer.line, answer.errors);
      } else if (answer.warnings && run.warned.length < SHOWN) {
        run.warned.push([run.lines + answer.line, answer.warnings.join("; ")]);
      }
    }
  }
  update();
}

/**
 * The first ones are shown; all are in the report, which a browser may store on disk.
 * @param {ImportRun} run
 * @param {number} line
 * @param {{ field?: string, message: string }[]} errors
 */
function recordFailure(run, line, errors) {
  if (run.failed.length < SHOWN) {
    run.failed.push([line, errors.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join("; ")]);
  }
  run.unsaved.push(`${JSON.stringify({ line, errors })}\n`);
}

/** @param {ImportRun} run */
function saveReport(run) {
  run.report = new Blob([run.report, ...run.unsaved]);
  run.unsaved = [];
}

const pause = () => new Promise((resolve) => setTimeout(resolve, SECOND));

/**
 * @param {ImportRun} run
 * @param {Part} part
 * @param {AbortSignal} signal
 */
async function sendPart(run, part, signal) {
  const query = new URLSearchParams(
    Object.entries({
      projectId: run.project,
      ignoreUnknown: run.ignoreUnknown,
      dryRun: run.dryRun,
      skip: run.skip,
    }).map(([name, value]) => [name, String(value)]),
  );
  run.isAnswered = false;
  await sendLines(`dashboard/users/import?${query}`, part.bytes, signal, (answers) => countAnswers(run, answers));
  if (!run.isAnswered) {
    throw new ApiError(0, messages.offline);
  }
}

/** @param {ImportRun} run */
async function sendFile(run) {
  run.stop = new AbortController();
  const { signal } = run.stop;
  run.message = "";
  update();
  let tries = 0;
  try {
    while (run.sent < run.file.size) {
      const part = await readPart(run.file, run.sent);
      run.part = part;
      try {
        await sendPart(run, part, signal);
      } catch (failure) {
        if (asRefusal(failure).status !== 503 || ++tries === TRIES) {
          throw failure;
        }
        await pause();
        signal.throwIfAborted();
        continue;
      }
      tries = 0;
      run.sent += part.bytes.length;
      run.lines += part.lines;
      run.skip = 0;
      saveReport(run);
      update();
    }
    run.isDone = true;
  } catch (failure) {
    run.message = signal.aborted ? texts.stopped : failure instanceof ApiError ? failure.message : texts.unreadable;
  } finally {
    saveReport(run);
    run.stop = null;
    update();
  }
}

/**
 * How many bytes are done: those of finished parts, and an estimate for the part that is being answered.
 * @param {ImportRun} run
 */
function bytesSent({ sent, part, skip }) {
  return sent + (part && skip ? Math.round((part.bytes.length * skip) / Math.max(part.lines, skip)) : 0);
}

/** @param {Pick<ImportRun, "project" | "file" | "ignoreUnknown" | "dryRun">} what */
function begin(what) {
  current = {
    ...what,
    sent: 0,
    lines: 0,
    skip: 0,
    isAnswered: false,
    counts: { created: 0, exists: 0, failed: 0 },
    failed: [],
    warned: [],
    unsaved: [],
    report: new Blob([]),
    stop: null,
    message: "",
    isDone: false,
  };
  sendFile(current);
}

/**
 * @param {ProjectContext} context
 * @returns {View}
 */
export function importView(context) {
  const choose = formView("import", {
    fields: [
      { name: "file", type: "file", label: texts.file, help: texts.fileHelp, required: true },
      { name: "ignoreUnknown", type: "checkbox", label: texts.ignoreUnknown },
      { name: "dryRun", type: "checkbox", label: texts.dryRun },
    ],
    button: texts.start,
    submit: async ({ ignoreUnknown, dryRun }, element) => {
      const [file] = /** @type {HTMLInputElement} */ (element.elements.namedItem("file")).files ?? [];
      if (!file) {
        throw new ApiError(422, texts.noFile, [{ field: "file", message: texts.noFile }]);
      }
      if (current?.stop) {
        throw new ApiError(409, texts.another);
      }
      begin({ project: context.id, file, ignoreUnknown, dryRun });
    },
  });
  return () => html`<p class="crumb"><a href="#/projects/${context.id}/users">${messages.users.back}</a></p>
    <h1>${texts.title}</h1>
    <section>
    <p class="note">${texts.help} <a href="../docs/migration/">${texts.guide}</a></p>
    ${!context.isDeveloper ? nothing : current?.project === context.id ? runView(current) : choose()}
  </section>`;
}

/** @param {ImportRun} run */
const runView = (run) => html`${run.stop
    ? html`<progress aria-label=${texts.progress} max=${run.file.size} .value=${bytesSent(run)}></progress>`
    : run.isDone
      ? html`<p role="status"><strong>${run.dryRun ? texts.checked : texts.done}</strong></p>`
      : alertView(run.message)}
  ${countsView(run)}
  <div class="row">
    ${run.stop
      ? html`<button type="button" @click=${() => run.stop?.abort()}>${texts.stop}</button>`
      : html`${run.isDone
            ? run.dryRun
              ? html`<button type="button" class="main" @click=${() => begin({ ...run, dryRun: false })}>${texts.start}</button>`
              : nothing
            : html`<button type="button" class="main" @click=${() => sendFile(run)}>${texts.goOn}</button>`}
          <button
            type="button"
            @click=${() => {
              current = null;
              update();
            }}
          >
            ${texts.other}
          </button>`}
  </div>
  ${run.warned.length > 0
    ? html`<h2 class="next">${texts.warnings}</h2>
        ${linesView(texts.warnings, run.warned)}`
    : nothing}
  ${run.counts.failed > 0 ? failuresView(run) : nothing}`;

/** @param {ImportRun} run */
const countsView = (run) => html`<dl>
  <dt>${texts.file}</dt>
  <dd>${run.file.name}</dd>
  <dt>${texts.progress}</dt>
  <dd>${fill(messages.of, { shown: formatBytes(bytesSent(run)), total: formatBytes(run.file.size) })}</dd>
  ${COUNTS.map(
    (status) =>
      html`<dt>${texts[status]}</dt>
        <dd data-status=${status}>${formatNumber(run.counts[status])}</dd>`,
  )}
</dl>`;

/**
 * @param {string} label
 * @param {[line: number, reason: string][]} lines
 */
const linesView = (label, lines) =>
  tableView(
    label,
    [texts.line, texts.reason],
    lines.map(([line, reason]) => [formatNumber(line), reason]),
  );

/** @param {ImportRun} run */
const failuresView = (run) => html`<h2 class="next">${texts.failedLines}</h2>
  ${linesView(texts.failedLines, run.failed)}
  ${run.counts.failed > run.failed.length
    ? html`<p class="help">${fill(texts.firstOnly, { count: formatNumber(SHOWN) })}</p>`
    : nothing}
  ${run.stop
    ? nothing
    : html`<button type="button" @click=${reported(() => saveFile(run.report, datedName("import-failures", "ndjson")))}>
        ${texts.saveReport}
      </button>`}`;
