import { Agent, get as httpGet } from 'node:http'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Questions } from '../crowd.ts'
import { type Figure, median } from '../measure.ts'
import { pin, readSpent, unpin } from './processor.ts'
import type { Setting } from './setting.ts'

const PAIRS = 5
const WARM_MS = 2000
const WINDOW_MS = 12_000
const READERS = 16
const AIM = 1.8
const GZIP = { 'accept-encoding': 'gzip' }

type Load = (urls: readonly string[]) => { count: Answers; stop: () => Promise<unknown> }

type Answers = { answered: number; refused: number }

/** `nodes`, `readers` and `rest` are processor shares; 2 is two cores. */
type Window = { rate: number; refused: number; nodes: number; readers: number; rest: number }

export async function measureRates({ nodes }: Setting, asked: Questions): Promise<Figure[]> {
  const [first, second, third] = nodes
  await third.stop()
  const processes = [first, second].map(({ url, pid }) => ({ url, pid: pid() ?? 0 }))
  const mixed = `${READERS} readers, mixed, all uncached: two nodes on a core each against one on one core`
  try {
    if (!processes.every(({ pid }, core) => pin(pid, core))) return [toUnmeasured(mixed)]
    return [toFigure(await compare(processes, (urls) => readMixed(urls, asked)), mixed)]
  } finally {
    for (const { pid } of processes) unpin(pid)
  }
}

const toUnmeasured = (what: string): Figure => ({
  what,
  got: 'cannot be measured: there is no taskset, or no second core',
  aim: '–',
  met: null,
  floor: '–',
})

type Pair = { one: Window; two: Window }
type Process = { url: string; pid: number }

/** Alternates, so that other load affects both alike. */
async function compare(processes: readonly Process[], load: Load): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const one = await watch(processes.slice(0, 1), load)
    pairs.push({ one, two: await watch(processes, load) })
  }
  return pairs
}

async function watch(processes: readonly Process[], load: Load): Promise<Window> {
  const pids = processes.map(({ pid }) => pid)
  const readers = load(processes.map(({ url }) => url))
  await sleep(WARM_MS)
  const read = () => ({ at: performance.now(), ...readers.count, ...readSpent(pids) })
  const begun = read()
  await sleep(WINDOW_MS)
  const ended = read()
  await readers.stop()
  const aSecond = (name: keyof typeof begun) =>
    (ended[name] - begun[name]) / ((ended.at - begun.at) / 1000)
  const [nodes, own] = [aSecond('nodes'), aSecond('readers')]
  return {
    rate: aSecond('answered'),
    refused: aSecond('refused'),
    nodes,
    readers: own,
    rest: aSecond('all') - nodes - own,
  }
}

function toFigure(pairs: readonly Pair[], what: string): Figure {
  const ratios = pairs.map(({ one, two }) => two.rate / one.rate)
  const ratio = median(ratios)
  const of = (which: keyof Pair, select: (window: Window) => number) =>
    median(pairs.map((pair) => select(pair[which])))
  const rate = (which: keyof Pair) => of(which, (window) => window.rate).toFixed(0)
  const perCore = (which: keyof Pair) =>
    of(which, (window) => window.rate / window.nodes).toFixed(1)
  const percent = (which: keyof Pair, name: 'nodes' | 'readers' | 'rest') =>
    `${(of(which, (window) => window[name]) * 100).toFixed(0)} %`
  const shares = (which: keyof Pair) =>
    `${percent(which, 'nodes')} (readers ${percent(which, 'readers')}, all else ${percent(which, 'rest')})`
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
  return {
    what,
    got: `${ratio.toFixed(2)} × (${range}, n=${ratios.length}): ${rate('two')}/s against ${rate('one')}/s`,
    aim: `≥ ${AIM} ×`,
    met: ratio >= AIM,
    floor: `of ${availableParallelism()} cores two nodes had ${shares('two')}, one had ${shares('one')}; ${perCore('two')} and ${perCore('one')} answers for a second of their processor time`,
  }
}

function readMixed(urls: readonly string[], asked: Questions): ReturnType<Load> {
  const agent = new Agent({ keepAlive: true })
  const count = { answered: 0, refused: 0 }
  let isOver = false
  const read = async (reader: number) => {
    const url = urls[reader % urls.length] ?? ''
    while (!isOver) add(count, await ask(url + asked.any(), agent))
  }
  const all = Promise.all(Array.from({ length: READERS }, (_, reader) => read(reader)))
  return {
    count,
    async stop() {
      isOver = true
      await all
      agent.destroy()
    },
  }
}

function add(count: Answers, status = 0): void {
  if (status === 200) count.answered += 1
  else if (status === 503) count.refused += 1
  else throw new Error(`status ${status}`)
}

const ask = (url: string, agent: Agent): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    httpGet(url, { agent, headers: GZIP }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
      response.on('error', reject)
    }).on('error', reject)
  })
