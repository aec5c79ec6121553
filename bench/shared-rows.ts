import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ArchiveOptions, openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { createReplica } from '#lib/nodes/replica.ts'
import { writeCommit } from '#lib/store/generations.ts'
import { makeRating } from '#testing/make-ratings.ts'
import { openOwnStore, seizeLease } from '#testing/store/open-store.ts'
import { residentMb, timeMs } from './measure.ts'

async function main(rows: number): Promise<void> {
  const store = await openOwnStore()
  const sql = store.connect()
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-shared-'))
  const now = () => Math.floor(Date.now() / 1000)
  const lease = await seizeLease(sql, 'leader')
  let spent = 0
  const open = async (name: string, share?: ArchiveOptions['share']) =>
    await openArchive({ path: join(dir, `${name}.duckdb`), now, ...(share ? { share } : {}) })
  try {
    const leader = await open('leader', async (commit) => {
      const begun = performance.now()
      const applied = await writeCommit(sql, lease, { commit, mark: `${performance.now()}` })
      spent = performance.now() - begun
      return applied
    })
    const bring = async (from: number, count: number) =>
      await leader.import({ kind: 'dump', name: '2026-11-15' }, async (run) => {
        for (let at = from; at < from + count; at += 10_000) await run.append(make(at, count), [])
        return { completeTo: now() }
      })
    const make = (from: number, count: number) =>
      Array.from({ length: Math.min(10_000, count) }, (_, index) => toRow(from + index))
    const say = (what: string, ms: number) =>
      console.info(
        `${what}: ${Math.round(ms)} ms (resident ${residentMb(process.pid).now} MB, at most ${residentMb(process.pid).peak} MB)`,
      )
    say(`import of ${rows} by the leader`, await timeMs(async () => void (await bring(1, rows))))
    say('  of it in the shared database', spent)
    const follower = await open('follower')
    const replica = createReplica({ sql, archive: follower, folder: join(dir, 'replica') })
    say('fill of an empty replica', await timeMs(async () => void (await replica.catchUp())))
    const another = await timeMs(async () => void (await bring(rows + 1, 2000)))
    say('commit of 2,000 by the leader', another)
    say('  applied by the replica', await timeMs(async () => void (await replica.catchUp())))
    say('comparison', await timeMs(async () => void (await replica.verify())))
    await follower.close()
    await leader.close()
  } finally {
    await store.close()
    rmSync(dir, { recursive: true })
  }
}

function toRow(id: number) {
  const symbol = `S${(id * 7919) % 5003}`
  const change = {
    symbol: toSymbolKey(symbol),
    user_id: (id * 104_729) % 20_011,
    tally_agree: id % 9,
  }
  return {
    rating: makeRating(id, { ...change, created_at: 1_500_000_000 + id * 200 }),
    extra: null,
  }
}

await main(Number(process.argv[2] ?? 1_000_000))
