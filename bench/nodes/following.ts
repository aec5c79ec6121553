import { get as httpGet } from 'node:http'
import type { NodeProcess } from '#testing/nodes/cluster.ts'
import { type Figure, median, quantile, waitFor } from '../measure.ts'
import { findLeader, type Setting, untilHolds } from './setting.ts'

const COMMITS = 25
const AIM_MS = 500
const WITHIN_MS = 30_000

export async function measureFollowing(setting: Setting): Promise<Figure> {
  const { service, nodes } = setting
  for (const node of nodes) await untilHolds(node, service.count())
  const leader = await findLeader(nodes)
  const watched = await Promise.all(nodes.map(watchCommits))
  const lags: number[] = []
  const wholes: number[] = []
  try {
    for (let round = 0; round < COMMITS; round += 1) {
      service.add()
      const begun = performance.now()
      await askForSync(leader)
      const ratings = service.count()
      const isSeen = async () => watched.every(({ seenAt }) => seenAt.has(ratings))
      await waitFor(isSeen, WITHIN_MS)
      const at = (node: NodeProcess) => watched[nodes.indexOf(node)]?.seenAt.get(ratings) ?? 0
      const others = nodes.filter((node) => node !== leader)
      const last = Math.max(...others.map(at))
      lags.push(...others.map((node) => at(node) - at(leader)))
      wholes.push(last - begun)
    }
  } finally {
    for (const { close } of watched) close()
  }
  const p95 = quantile(lags, 0.95)
  return {
    what: `from the leader’s commit until another node has it, ${COMMITS} commits as two others see them`,
    got: `${median(lags).toFixed(0)} ms (p95 ${p95.toFixed(0)}, longest ${Math.max(...lags).toFixed(0)})`,
    aim: `p95 ≤ ${AIM_MS} ms`,
    met: p95 <= AIM_MS,
    floor: `${median(wholes).toFixed(0)} ms from “sync now” until all have it`,
  }
}

const watchCommits = (node: NodeProcess) =>
  new Promise<{ seenAt: Map<number, number>; close: () => void }>((resolve, reject) => {
    const seenAt = new Map<number, number>()
    const asked = httpGet(`${node.url}/api/events`, (response) => {
      response.on('error', () => undefined)
      let rest = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        const events = (rest + text).split('\n\n')
        rest = events.pop() ?? ''
        for (const event of events) {
          const [, told] = /^event: commit\ndata: (.*)$/m.exec(event) ?? []
          if (told === undefined) continue
          seenAt.set((JSON.parse(told) as { ratings: number }).ratings, performance.now())
        }
        resolve({ seenAt, close: () => asked.destroy() })
      })
    }).on('error', reject)
  })

async function askForSync({ url }: NodeProcess): Promise<void> {
  const answer = await fetch(`${url}/api/sync`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: '{}',
  })
  if (answer.status !== 202) throw new Error(`${answer.status} to “sync now”`)
}
