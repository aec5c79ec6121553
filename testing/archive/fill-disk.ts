import { spawnSync } from 'node:child_process'
import type { Archive } from '#lib/archive/archive.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { selectRatings } from '#lib/archive/ratings/ratings.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { importRows, makeRating, START } from './arbitrary.ts'

/** Runs under a file size limit. */
const [path = ''] = process.argv.slice(2)
const say = (line: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(line)}\n`)
const open = async () => await openArchive({ path, now: () => START })
const read = async (archive: Archive) =>
  (await selectRatings(archive.reader, EVERY_RATING, { at: START })).total

const rows = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...makeRating({ id: from + index, user_id: (from + index) % 997 }),
    extra: { text: String(Math.sin(from + index)).repeat(20) },
  }))

let archive = await open()
await importRows(archive, rows(1, 10))
let [ids, failure] = [11, '']
while (failure === '' && ids < 400_000) {
  try {
    await importRows(archive, rows(ids, 5000))
    ids += 5000
  } catch (error) {
    failure = error instanceof Error ? error.message : 'no error'
  }
}
let isBroken = false
archive.onBroken(() => {
  isBroken = true
})
const total = await read(archive).catch(() => null)
say({ failed: failure !== '', failure, held: ids - 1, total, isBroken })
spawnSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited'])
if (isBroken) {
  await archive.close().catch(() => undefined)
  archive = await open()
}
const { inserted } = await importRows(archive, rows(ids, 5000))
say({ inserted, total: await read(archive), aside: archive.opened.damagedFile })
await archive.close()
