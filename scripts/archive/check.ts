import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ASIDE, parseSidecar } from '#lib/sync/edition-sidecar.ts'
import { hashFile } from '#lib/sync/hash-file.ts'
import { parseLine } from '#lib/upstream/ledger-lines.ts'
import { type ByHand, Problem } from './by-hand.ts'
import { checkArchive } from './check-archive.ts'

/** Says a figure, or a problem; problems are counted. */
export type Report = { figure(text: string): void; problem(text: string): void }

/**
 * Reads everything in the data folder once and prints what is there. Throws Problem where something is wrong, once all of it
 * is said. Changes nothing.
 */
export async function check({ dataDir, path, print }: ByHand): Promise<void> {
  let problems = 0
  const report: Report = {
    figure: (text) => print(`  ${text}`),
    problem(text) {
      problems += 1
      print(`! ${text}`)
    },
  }
  await checkArchive(path, report)
  const editions = join(dataDir, 'editions')
  await checkEditions(editions, report)
  await checkEditions(join(editions, ASIDE), report)
  await checkLedger(join(dataDir, 'requests.log'), report)
  await checkEvents(dataDir, report)
  for (const name of ['discovery.json', 'pause.json', 'editions/imported.json']) {
    const text = await readIfThere(join(dataDir, name))
    if (text !== null && !isJson(text)) report.problem(`${name} is no JSON: it is not read`)
  }
  if (problems > 0) throw new Problem(problems === 1 ? '1 problem' : `${problems} problems`)
  print('No problem found.')
}

async function checkEditions(dir: string, report: Report): Promise<void> {
  const names = (await readdir(dir).catch(() => [])).sort()
  for (const name of names.filter((one) => one.endsWith('.csv'))) {
    const kept = parseSidecar(
      basename(dir) === ASIDE ? join(dir, '..') : dir,
      (await readIfThere(join(dir, name.replace(/csv$/, 'json')))) ?? '',
    )
    if (!kept) {
      report.problem(`${name}: nothing beside it says what it is, so it does not count`)
      continue
    }
    const { size } = await stat(join(dir, name))
    const isSame = size === kept.bytes && (await hashFile(join(dir, name))) === kept.sha256
    const said = `${name}: ${toCount(kept.rows)} rows, ${toCount(size)} bytes`
    if (isSame) report.figure(`${said}, SHA-256 as noted${kept.reason === null ? '' : ', aside'}`)
    else report.problem(`${said}: not the bytes that came, by their SHA-256`)
  }
}

async function checkLedger(file: string, report: Report): Promise<void> {
  const lines = await readLines(file)
  if (!lines) return
  const unread = lines.filter((line) => parseLine(line) === null).length
  report.figure(`requests.log: ${toCount(lines.length)} lines`)
  if (unread > 0) report.problem(`requests.log: ${unread} lines cannot be read and do not count`)
}

async function checkEvents(dataDir: string, report: Report): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => /^events.*\.ndjson/.test(name)).sort()
  for (const name of names) {
    const lines = (await readLines(join(dataDir, name))) ?? []
    const unread = lines.filter((line) => !isJson(line)).length
    report.figure(`${name}: ${toCount(lines.length)} events`)
    if (unread > 0) report.problem(`${name}: ${unread} lines cannot be read`)
  }
}

export const toCount = (value: number): string => value.toLocaleString('en-US')

/** Its lines that are not empty; null where there is no such file. */
async function readLines(file: string): Promise<string[] | null> {
  const text = await readIfThere(file)
  return text === null ? null : text.split('\n').filter((line) => line !== '')
}

async function readIfThere(file: string): Promise<string | null> {
  return await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
