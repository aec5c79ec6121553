import { spawnSync } from 'node:child_process'
import { Agent, get as httpGet } from 'node:http'
import { availableParallelism } from 'node:os'
import autocannon from 'autocannon'
import type { NodeProcess } from '#testing/nodes/cluster.ts'
import type { Questions } from '../crowd.ts'
import { type Figure, median } from '../measure.ts'
import type { Setting } from './setting.ts'

const PAIRS = 3
const SECONDS = 4
const READERS = 16
const CROWD = 64
const AIM = 1.8
const GZIP = { 'accept-encoding': 'gzip' }

type Load = (urls: readonly string[]) => Promise<number>

/** What two nodes on a core each answer, against one on one core. */
export async function measureRates({ nodes }: Setting, asked: Questions): Promise<Figure[]> {
  const [first, second, third] = nodes
  await third.stop()
  const isPinned = [pin(first, 0), pin(second, 1)].every(Boolean)
  const where = isPinned ? 'on a core each' : 'where the system puts them (no taskset)'
  const figures = [
    await compare(
      `16 readers, mixed, all uncached: two nodes ${where} against one`,
      nodes,
      (urls) => readMixed(urls, asked),
    ),
    await compare(`kept pages, ${CROWD} readers: two nodes ${where} against one`, nodes, readKept),
  ]
  const all = `0-${availableParallelism() - 1}`
  for (const node of [first, second]) pin(node, all)
  return figures
}

/** Keeps all threads of a process to a core; whether that could be done. */
const pin = (node: NodeProcess, cores: number | string): boolean =>
  spawnSync('taskset', ['-a', '-c', '-p', String(cores), String(node.pid())]).status === 0

async function compare(what: string, nodes: Setting['nodes'], load: Load): Promise<Figure> {
  const [first, second] = nodes
  const pairs: { one: number; two: number }[] = []
  const used = process.cpuUsage()
  const begun = performance.now()
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const one = await load([first.url])
    pairs.push({ one, two: await load([first.url, second.url]) })
  }
  const { user, system } = process.cpuUsage(used)
  const share = (user + system) / 1000 / (performance.now() - begun)
  const ratio = median(pairs.map(({ one, two }) => two / one))
  const rate = (name: 'one' | 'two') => median(pairs.map((pair) => pair[name])).toFixed(0)
  return {
    what,
    got: `${ratio.toFixed(2)} ×: ${rate('two')}/s against ${rate('one')}/s`,
    aim: `≥ ${AIM} ×`,
    met: ratio >= AIM,
    floor: `who asks took ${(share * 100).toFixed(0)} % of a core; there are ${availableParallelism()}`,
  }
}

/** Questions that nobody has asked before, each of one node; gives answers a second. */
async function readMixed(urls: readonly string[], asked: Questions): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  const end = performance.now() + SECONDS * 1000
  let answered = 0
  const read = async (reader: number) => {
    const url = urls[reader % urls.length] ?? ''
    while (performance.now() < end) if (await isAnswered(url + asked.any(), agent)) answered += 1
  }
  await Promise.all(Array.from({ length: READERS }, (_, reader) => read(reader)))
  agent.destroy()
  return answered / SECONDS
}

const isAnswered = (url: string, agent: Agent): Promise<boolean> =>
  new Promise((resolve, reject) => {
    httpGet(url, { agent, headers: GZIP }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode === 200))
      response.on('error', reject)
    }).on('error', reject)
  })

/** A page that is kept; gives answers a second of all nodes. */
async function readKept(urls: readonly string[]): Promise<number> {
  const load = async (url: string, duration: number) => {
    const connections = CROWD / urls.length
    const { requests, non2xx, errors } = await autocannon({
      ...{ url, connections, duration, headers: GZIP },
    })
    if (non2xx + errors > 0) throw new Error(`${non2xx + errors} answers were no success`)
    return requests.average
  }
  await Promise.all(urls.map((url) => load(`${url}/`, 1)))
  const rates = await Promise.all(urls.map((url) => load(`${url}/`, SECONDS)))
  return rates.reduce((sum, rate) => sum + rate, 0)
}
