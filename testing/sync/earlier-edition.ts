import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const WEEK_SECONDS = 7 * 86_400

export type Planted = {
  new: number
  vanished: number
  edited: number
  ended_early: number
  votes: number
}

/** Returns both Sundays. The folder must be closed. */
export async function placeEarlierEdition(
  dir: string,
  planted: Planted,
): Promise<{ from: string; to: string }> {
  const names = await readdir(dir)
  const current = names.find((name) => /^posts-.*\.csv$/.test(name)) ?? ''
  const to = current.slice('posts-'.length, -'.csv'.length)
  const from = new Date(Date.parse(`${to}T00:00:00Z`) - WEEK_SECONDS * 1000)
    .toISOString()
    .slice(0, 10)
  const [header = '', ...lines] = (await readFile(join(dir, current), 'utf8')).trimEnd().split('\n')
  const columns = header.trimEnd().split(',')
  const cells = lines.map((line) => line.trimEnd().split(','))
  const end = header.endsWith('\r') ? '\r\n' : '\n'
  const rows = toEarlier(cells, columns, planted)
  const text = [columns, ...rows].map((row) => row.join(',')).join(end) + end
  const sidecar = JSON.parse(await readFile(join(dir, `posts-${to}.json`), 'utf8'))
  await writeFile(join(dir, `posts-${from}.csv`), text)
  await writeFile(
    join(dir, `posts-${from}.json`),
    JSON.stringify({
      ...sidecar,
      edition: from,
      rows: rows.length,
      bytes: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
      changes: null,
      etag: null,
      last_modified: null,
      fetched_at: sidecar.fetched_at - WEEK_SECONDS,
      ids: null,
    }),
  )
  await writeFile(join(dir, `posts-${to}.json`), JSON.stringify({ ...sidecar, changes: null }))
  return { from, to }
}

function toEarlier(
  cells: readonly string[][],
  columns: readonly string[],
  planted: Planted,
): string[][] {
  const at = (name: string) => columns.indexOf(name)
  const id = (row: readonly string[]) => Number(row[at('id')])
  const inOrder = [...cells].sort((a, b) => id(a) - id(b))
  const there = inOrder.slice(0, inOrder.length - planted.new)
  let next = there.length
  const change = (count: number, name: string, toValue: (text: string) => string) => {
    for (let done = 0; done < count; done += 1) {
      next -= 1
      const row = there[next]
      if (row) there[next] = row.map((text, index) => (index === at(name) ? toValue(text) : text))
    }
  }
  change(planted.edited, 'prediction', (text) => (text === '12.5' ? '8' : '12.5'))
  change(planted.ended_early, 'expired_at', () => '')
  change(planted.votes, 'tally_agree', (text) => String(Number(text) + 1))
  const gone = there.slice(0, planted.vanished).map((row, index) => {
    const number = id(inOrder.at(-1) ?? []) + 1_000_000 + index
    return row.map((text, column) => (column === at('id') ? String(number) : text))
  })
  return [...there, ...gone]
}
