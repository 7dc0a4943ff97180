/**
 * `npm run bench -- ingest [FOLDER]`: pages and megabytes a second by format through the real parser process, the memory
 * it takes, and how long the main loop is held while a library of 2,000 small files is read. Figures depend on the
 * machine; the last column sets each format against plain text in the same run. With FOLDER, a folder of the user's.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Library } from "../../core/documents/index.ts";
import { createPassageIndex, inlineReader } from "../../core/memory/index.ts";
import { createParser, extractFile, type Parser } from "../../core/parsing/index.ts";
import { silentLog, systemClock } from "../../core/platform/index.ts";
import { nodeChildHost } from "../../core/platform/node-child-host.ts";
import { docx, epub, odf, p, pptx, shape, xlsx } from "../fixtures/documents/build/office.ts";
import { pdf } from "../fixtures/documents/build/pdf.ts";
import { migratedDatabase, temporaryFolder } from "../support/profile.ts";

const entry = join(import.meta.dirname, "../../core/parsing/process/main.ts");
const words =
  "the counter at the lower ladder recorded silver eels on both nights after a rise of the gauge and the river fell".split(
    " ",
  );
const sentence = (n: number) =>
  `${Array.from({ length: 14 }, (_, k) => words[(n * 7 + k * 3) % words.length]).join(" ")} ${n}.`;
const paragraph = (n: number) => Array.from({ length: 5 }, (_, i) => sentence(n * 5 + i)).join(" ");
const paragraphs = (count: number) => Array.from({ length: count }, (_, i) => paragraph(i));

/** A file of each format with about the same 4,000 sentences. */
const samples: Readonly<Record<string, () => Buffer>> = {
  txt: () => Buffer.from(paragraphs(800).join("\n\n")),
  md: () =>
    Buffer.from(
      paragraphs(800)
        .map((text, i) => `${i % 20 ? "" : `# Part ${i / 20}\n\n`}${text}`)
        .join("\n\n"),
    ),
  html: () =>
    Buffer.from(
      `<html><body>${paragraphs(800)
        .map((text) => `<p>${text}</p>`)
        .join("")}</body></html>`,
    ),
  pdf: () =>
    pdf(
      Array.from({ length: 100 }, (_, page) => ({
        texts: Array.from({ length: 40 }, (_, i) => ({
          x: 50,
          y: 790 - i * 18,
          size: 10,
          text: sentence(page * 40 + i),
        })),
      })),
    ),
  docx: () =>
    docx({
      body: paragraphs(800)
        .map((text) => p(text))
        .join(""),
    }),
  pptx: () =>
    pptx(
      Array.from({ length: 100 }, (_, i) => ({
        shapes: shape(paragraph(i), { y: 1_000_000 }),
        notes: paragraph(i + 900),
      })),
    ),
  xlsx: () =>
    xlsx([
      {
        name: "S",
        rows: Array.from(
          { length: 4000 },
          (_, r) =>
            `<row r="${r + 1}">${Array.from({ length: 10 }, (_, c) => `<c r="${String.fromCharCode(65 + c)}${r + 1}"><v>${r * c}</v></c>`).join("")}</row>`,
        ).join(""),
      },
    ]),
  odt: () =>
    odf(
      "text",
      paragraphs(800)
        .map((text) => `<text:p>${text}</text:p>`)
        .join(""),
    ),
  epub: () =>
    epub(
      Array.from({ length: 40 }, (_, i) => ({
        title: `Part ${i}`,
        html: paragraphs(20)
          .map((text) => `<p>${text}</p>`)
          .join(""),
      })),
      "Book",
    ),
  csv: () => Buffer.from(`a,b,c\n${Array.from({ length: 8000 }, (_, i) => `${i},${sentence(i)},${i * 3}`).join("\n")}`),
  eml: () =>
    Buffer.from(
      `From: a@b\nTo: c@d\nSubject: Count\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n${paragraphs(800).join("\n\n")}`,
    ),
};

function parserOf(size: number): Parser {
  return createParser({
    host: nodeChildHost({ engine: entry, parser: entry }),
    clock: systemClock,
    log: silentLog,
    size,
    timeMs: 300_000,
  });
}

async function byFormat(folder: string): Promise<void> {
  const parser = parserOf(1);
  await extractFile(parser, { bytes: Buffer.from("warm"), name: "a.txt" });
  console.log("format   pages/s    MB/s  characters/s  against txt");
  let plain = 0;
  for (const [format, make] of Object.entries(samples)) {
    const path = join(folder, `sample.${format}`);
    writeFileSync(path, make());
    await extractFile(parser, { path });
    const runs = 3;
    const started = performance.now();
    let result = await extractFile(parser, { path });
    for (let i = 1; i < runs; i++) result = await extractFile(parser, { path });
    const seconds = (performance.now() - started) / 1000 / runs;
    const characters = result.textLength / seconds;
    plain ||= characters;
    // A page is 1,800 characters where the format has none.
    const pages =
      result.sections.filter((section) => /page|slide/.test(section.kind)).length || result.textLength / 1800;
    console.log(
      `${format.padEnd(6)} ${(pages / seconds).toFixed(0).padStart(9)} ${(statSync(path).size / 1e6 / seconds).toFixed(1).padStart(7)} ${Math.round(characters).toLocaleString("en").padStart(13)} ${(characters / plain).toFixed(2).padStart(12)}`,
    );
  }
  parser.close();
}

/** The highest resident memory of the parser while it reads, on systems that tell. */
async function memoryOf(folder: string): Promise<void> {
  const path = join(folder, "large.pdf");
  writeFileSync(
    path,
    pdf(
      Array.from({ length: 1500 }, (_, page) => ({
        texts: Array.from({ length: 40 }, (_, i) => ({
          x: 50,
          y: 790 - i * 18,
          size: 10,
          text: sentence(page * 40 + i),
        })),
      })),
    ),
  );
  let pid: number | undefined;
  const host = nodeChildHost({ engine: entry, parser: entry });
  const parser = createParser({
    host: {
      spawn(kind, options) {
        const port = host.spawn(kind, options);
        pid = port.pid;
        return port;
      },
    },
    clock: systemClock,
    log: silentLog,
    size: 1,
    timeMs: 300_000,
  });
  await extractFile(parser, { bytes: Buffer.from("warm"), name: "a.txt" });
  const resident = () => {
    try {
      return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  };
  const before = resident();
  const result = await extractFile(parser, { path });
  const after = resident();
  parser.close();
  if (after === 0) console.log("parser memory: this system does not tell");
  else
    console.log(
      `parser memory: ${before.toFixed(0)} MB at rest, ${after.toFixed(0)} MB at most while reading ${result.sections.length} PDF pages (${(statSync(path).size / 1e6).toFixed(1)} MB)`,
    );
}

async function wholeLibrary(folder: string, files: number, bytes: number): Promise<void> {
  const inbox = join(folder, "inbox");
  mkdirSync(inbox);
  const body = paragraphs(Math.ceil(bytes / 480))
    .join("\n\n")
    .slice(0, bytes);
  for (let i = 0; i < files; i++) writeFileSync(join(inbox, `${i}.txt`), `File ${i}. ${sentence(i)}\n\n${body}`);
  const db = migratedDatabase();
  const index = createPassageIndex({
    db,
    clock: systemClock,
    log: silentLog,
    embedder: async () => null,
    reader: inlineReader(db),
  });
  const parser = parserOf(2);
  const library = new Library({
    db,
    clock: systemClock,
    log: silentLog,
    parser,
    index,
    readers: 2,
    onChanged: () => {},
  });
  await library.start({ recover: true });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const started = performance.now();
  const added = await library.add([inbox], null);
  const found = performance.now() - started;
  await library.idle();
  const seconds = (performance.now() - started) / 1000;
  delay.disable();
  const ready = library.store.counts().states.ready;
  console.log(
    `library: ${added.added} files of ${(bytes / 1000).toFixed(0)} KB found in ${(found / 1000).toFixed(1)} s, ${ready} read in ${seconds.toFixed(1)} s (${(ready / seconds).toFixed(0)} files, ${((ready * bytes) / 1e6 / seconds).toFixed(1)} MB a second)`,
  );
  console.log(
    `main loop: p50 ${(delay.percentile(50) / 1e6).toFixed(1)} ms, p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, longest ${(delay.max / 1e6).toFixed(1)} ms`,
  );
  await library.close();
  parser.close();
  await index.close();
  db.close();
}

async function ownFolder(folder: string): Promise<void> {
  const parser = parserOf(2);
  const totals = new Map<string, { files: number; failed: number; bytes: number; ms: number }>();
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!statSync(path).isFile()) continue;
    const key = extname(name).toLowerCase();
    const total = totals.get(key) ?? { files: 0, failed: 0, bytes: 0, ms: 0 };
    totals.set(key, total);
    const started = performance.now();
    await extractFile(parser, { path }).catch(() => total.failed++);
    total.ms += performance.now() - started;
    total.bytes += statSync(path).size;
    total.files++;
  }
  parser.close();
  for (const [key, { files, failed, bytes, ms }] of totals)
    console.log(
      `${key.padEnd(8)} ${files} files, ${failed} not read, ${(bytes / 1e6).toFixed(1)} MB, ${((bytes / 1e6 / ms) * 1000).toFixed(1)} MB a second`,
    );
}

const given = process.argv[2];
if (given !== undefined) await ownFolder(given);
else {
  const folder = temporaryFolder();
  try {
    await byFormat(folder.path);
    await memoryOf(folder.path);
    await wholeLibrary(folder.path, Number(process.env["FILES"] ?? 2000), Number(process.env["BYTES"] ?? 20_000));
  } finally {
    folder.remove();
  }
}
