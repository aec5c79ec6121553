import type { NodeProcess } from '#testing/nodes/cluster.ts'
import type { Questions } from '../crowd.ts'
import { type Figure, median, waitFor } from '../measure.ts'
import { type ReadAnswers, startReaders, toText } from './readers.ts'
import { type Front, findLeader, readStatus, type Setting, untilHolds } from './setting.ts'

const LEADERS = 5
const AIM_SECONDS = 20
const LIMIT_MS = 60_000

export async function measureLeaderKilled(
  setting: Setting,
  front: Front,
  asked: Questions,
): Promise<Figure> {
  const { service, nodes } = setting
  const readers = startReaders(front.url, asked, service.count())
  const gaps: number[] = []
  try {
    for (let round = 0; round < LEADERS; round += 1) {
      const leader = await findLeader(nodes)
      const others = nodes.filter((node) => node !== leader)
      const begun = performance.now()
      await leader.kill()
      await waitFor(() => isLedByOneOf(others), LIMIT_MS)
      gaps.push((performance.now() - begun) / 1000)
      await leader.start()
      await untilHolds(leader, service.count())
    }
  } finally {
    await readers.stop()
  }
  const answers = await readers.stop()
  list(answers)
  const longest = Math.max(...gaps)
  return {
    what: `the leader killed ${LEADERS} times, until /api/status says that another node syncs; readers behind ${front.program}`,
    got: `${median(gaps).toFixed(1)} s (longest ${longest.toFixed(1)}); ${toText(answers)}`,
    aim: `≤ ${AIM_SECONDS} s, 0 failed`,
    met: longest <= AIM_SECONDS && answers.failures.length === 0,
    floor: '15 s: the lease',
  }
}

/** Others may still report the killed leader. */
async function isLedByOneOf(nodes: readonly NodeProcess[]): Promise<boolean> {
  const said = await Promise.all(
    nodes.map(async ({ url, name }) => {
      const status = await readStatus(url).catch(() => null)
      return status?.nodes?.list.some((node) => node.name === name && node.leads) ?? false
    }),
  )
  return said.includes(true)
}

export async function measureReplacing(
  setting: Setting,
  front: Front,
  { asked, seconds }: { asked: Questions; seconds: number },
): Promise<Figure> {
  const { service, nodes } = setting
  const readers = startReaders(front.url, asked, service.count())
  const end = performance.now() + seconds * 1000
  let replaced = 0
  try {
    for (; performance.now() < end; replaced += 1) {
      const node = nodes[replaced % nodes.length] ?? nodes[0]
      await (replaced % 2 === 0 ? node.kill() : node.stop())
      await node.start()
      await untilHolds(node, service.count())
    }
  } finally {
    await readers.stop()
  }
  const answers = await readers.stop()
  list(answers)
  return {
    what: `readers behind ${front.program} while nodes are ended and begun again for ${seconds} s, ${replaced} times, half of them killed`,
    got: toText(answers),
    aim: '0 failed',
    met: answers.failures.length === 0,
    floor: '–',
  }
}

const list = ({ failures }: ReadAnswers) => {
  for (const failure of failures) process.stdout.write(`  ${failure}\n`)
}
