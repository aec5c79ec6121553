import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { selectDifferenceFacets, selectDifferences } from '#lib/archive/editions/differences.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { EVERY_DIFFERENCE } from '#lib/contract/lists/edition-differences.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { createRandom } from '#lib/statistics/random.ts'
import { nodeDisk } from '#lib/sync/disk.ts'
import { createKeptDifferences } from '#lib/sync/editions/kept-differences.ts'
import type { KeptEdition } from '#lib/sync/sync.ts'
import { type Figure, median, quantile, timeMs } from './measure.ts'

const ROWS = 1_000_000
const NEW = 5000
const ROUNDS = 30
const AIM_MS = 5000

export async function measureEditionsDifference(): Promise<Figure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-difference-'))
  try {
    const usual = await measureWeek(join(dir, 'usual'), 0.05)
    const drifted = await measureWeek(join(dir, 'drifted'), 1)
    return [
      toFigure(
        'the difference of two editions of 1,000,000 rows, 5 % of them with other votes',
        usual,
      ),
      toFigure('the same with other votes of all of them', drifted),
      ...(await measurePages(usual.path)),
    ]
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const toFigure = (what: string, { ms, cpuMs }: Week): Figure => ({
  what,
  got: `${(ms / 1000).toFixed(2)} s (${(cpuMs / 1000).toFixed(2)} s of processor time)`,
  aim: `≤ ${AIM_MS / 1000} s`,
  met: ms <= AIM_MS,
  floor: '–',
})

type Week = { ms: number; cpuMs: number; path: string }

async function measureWeek(dir: string, share: number): Promise<Week> {
  await nodeDisk.makeFolder(dir)
  const [from, to] = await writeEditions(dir, share)
  const kept = createKeptDifferences({
    dir,
    disk: nodeDisk,
    log: () => undefined,
    editions: () => [from, to],
    selectMarked: async () => new Set(),
  })
  const begun = process.cpuUsage()
  let path = ''
  const ms = await timeMs(async () => {
    path = (await kept.make(from, to, { signal: new AbortController().signal })).path
  })
  const { user, system } = process.cpuUsage(begun)
  return { ms, cpuMs: (user + system) / 1000, path }
}

async function writeEditions(dir: string, share: number): Promise<[KeptEdition, KeptEdition]> {
  const random = createRandom(1)
  const paths = ['2026-11-08', '2026-11-15'].map((day) => join(dir, `posts-${day}.csv`))
  const files = paths.map((path) => createWriteStream(path))
  const write = async (texts: readonly string[]) => {
    for (const [index, file] of files.entries()) {
      if (!file.write(texts[index] ?? '')) await once(file, 'drain')
    }
  }
  await write(paths.map(() => `${RATING_FIELDS.join(',')}\n`))
  const rows = [0, 0]
  let batch = ['', '']
  for (let id = 1; id <= ROWS + NEW; id += 1) {
    const [votes, prediction, luck] = [
      Math.floor(random() * 40),
      (random() * 40 - 10).toFixed(2),
      random(),
    ]
    const isEdited = luck > 0.0005 && luck < 0.001
    const later = toLine(id, isEdited ? '9.99' : prediction, votes + (random() < share ? 1 : 0))
    const lines = [id <= ROWS ? toLine(id, prediction, votes) : '', luck < 0.0005 ? '' : later]
    for (const [index, line] of lines.entries()) {
      batch[index] += line
      rows[index] = (rows[index] ?? 0) + (line === '' ? 0 : 1)
    }
    if (id % 5000 !== 0) continue
    await write(batch)
    batch = ['', '']
  }
  for (const file of files) {
    file.end()
    await finished(file)
  }
  return [
    toEdition('2026-11-08', paths[0] ?? '', rows[0] ?? 0),
    toEdition('2026-11-15', paths[1] ?? '', rows[1] ?? 0),
  ]
}

function toLine(id: number, prediction: string, votes: number): string {
  const created = 1_600_000_000 + id * 150
  const ends = created + 9_000_000
  const toText = (seconds: number) =>
    new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
  const cells = [
    ...[id, (id * 7919) % 9973, `SYM${id % 700}`, 1 + (id % 5), 'Moderate Buy', 1 + (id % 4)],
    ...['Reiterated', prediction, votes, id % 7, id % 3, created, toText(created), ends],
    toText(ends),
  ]
  return `${cells.join(',')}\n`
}

const toEdition = (edition: string, path: string, rows: number): KeptEdition => ({
  edition,
  path,
  sha256: edition,
  rows,
  bytes: 0,
  fetched_at: 0,
  next_due_at: 0,
  kind: 'posts',
  fileName: '',
  firstRows: [],
  unchanged: false,
  changes: null,
  reason: null,
  validators: { etag: null, lastModified: null },
  newestCreatedAt: null,
  confirms: false,
  ids: { lowest: 1, highest: ROWS },
  columns: RATING_FIELDS.map((name) => ({ name, type: 'text' })),
})

async function measurePages(path: string): Promise<Figure[]> {
  const archive = await openArchive({ path: ':memory:', now: () => 0 })
  try {
    const pages: number[] = []
    const counts: number[] = []
    for (let round = 1; round <= ROUNDS; round += 1) {
      const symbol = { only: [`SYM${round}`], not: [] }
      const options = { signal: undefined }
      const page = { ...EVERY_DIFFERENCE, page: round }
      pages.push(
        await timeMs(() => selectDifferences(archive.reader, { path, query: page }, options)),
      )
      const some = { ...EVERY_DIFFERENCE, symbol }
      counts.push(
        await timeMs(() => selectDifferenceFacets(archive.reader, { path, query: some }, options)),
      )
    }
    const say = (times: readonly number[]) =>
      `${median(times).toFixed(0)} ms (p90 ${quantile(times, 0.9).toFixed(0)}, n=${times.length})`
    const figure = (what: string, times: readonly number[]): Figure => ({
      what,
      got: say(times),
      aim: '–',
      met: null,
      floor: '–',
    })
    return [
      figure('a page of the kept difference, 60,000 ratings', pages),
      figure('the counts beside its filters', counts),
    ]
  } finally {
    await archive.close()
  }
}
