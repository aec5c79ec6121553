import { rmSync } from 'node:fs'
import type { NodeProcess } from '#testing/nodes/cluster.ts'
import { createQuestions } from './crowd.ts'
import { type Figure, timeMs, waitFor } from './measure.ts'
import { measureAlone } from './nodes/alone.ts'
import { measureLeaderKilled, measureReplacing } from './nodes/failing.ts'
import { measureFollowing } from './nodes/following.ts'
import { measureRates } from './nodes/rates.ts'
import { openSetting, readStatus, type Setting, startFront, untilHolds } from './nodes/setting.ts'
import { measureStatements } from './nodes/statements.ts'

export type NodesOptions = {
  ratings: number
  seconds: number
  note: (figures: Figure[]) => void
}

export async function measureNodes({ ratings, seconds, note }: NodesOptions): Promise<void> {
  const setting = await openSetting(ratings)
  try {
    note(await measureNewNodes(setting))
    const asked = await createQuestions(setting.nodes[0].url)
    note([await measureStatements(setting, asked)])
    note([await measureFollowing(setting)])
    const front = await startFront(setting.nodes)
    try {
      note([await measureLeaderKilled(setting, front, asked)])
      note([await measureReplacing(setting, front, { asked, seconds })])
    } finally {
      await front.stop()
    }
    note(await measureRates(setting, asked))
    note(await measureAlone(setting))
  } finally {
    await setting.close()
  }
}

const FILL_MS = 300_000
const AIM_SECONDS = 12

async function measureNewNodes({ service, nodes }: Setting): Promise<Figure[]> {
  const [first, second, third] = nodes
  const firstMs = await timeMs(async () => {
    await first.start()
    await untilHolds(first, service.count())
  })
  await waitFor(async () => (await readStatus(first.url)).sync.state === 'idle', FILL_MS)
  const filled = [await fill(second, service.count()), await fill(third, service.count())]
  await third.kill()
  rmSync(third.dataDir, { recursive: true, force: true })
  filled.push(await fill(third, service.count()))
  const longest = Math.max(...filled.map(({ whole }) => whole))
  const said = filled.map(({ whole, start }) => `${whole.toFixed(1)} s (start ${start.toFixed(1)})`)
  return [
    {
      what: `a new node beside others, until it holds all of ${service.count().toLocaleString('en-US')} ratings, from the start of its process`,
      got: said.join(', '),
      aim: `≤ ${AIM_SECONDS} s`,
      met: longest <= AIM_SECONDS,
      floor: `${(firstMs / 1000).toFixed(1)} s: the first node, from the service into the database`,
    },
  ]
}

async function fill(node: NodeProcess, ratings: number) {
  let start = 0
  const whole = await timeMs(async () => {
    start = await timeMs(node.start)
    await untilHolds(node, ratings)
  })
  return { start: start / 1000, whole: whole / 1000 }
}
