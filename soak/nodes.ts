import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from '../bench/measure.ts'
import { ensureBuild } from '../scripts/setup.mjs'
import {
  type ClusterWorld,
  type Counts,
  listExcesses,
  openClusterWorld,
  type SoakNode,
} from './cluster-world.ts'

const FAULTS = [
  'leader killed',
  'leader killed',
  'leaders killed',
  'leaders killed',
  'leader stopped',
  'database killed',
  'database killed',
  'database away',
  'lines cut',
  'lines cut',
  'line of leader cut',
  'line of leader cut',
  'line of leader silent',
  'clock wrong',
  'edition',
] as const
type Fault = (typeof FAULTS)[number]

export type NodesRound = {
  number: number
  fault: Fault
  leaderKills: number
  databaseKills: number
  /** Without a leader, in ms. */
  takeoversMs: number[]
  /** From the end of the faults, in ms. */
  equalMs: number
  counts: Counts
  problems: string[]
}

export type NodesOptions = {
  rounds: number
  ratings: number
  random: () => number
  onRound?: (round: NodesRound) => void
}

const NODES = 3
const FILLED_WITHIN_MS = 120_000
const EQUAL_WITHIN_MS = 150_000
const LEADS_WITHIN_MS = 60_000
const LEASE_MS = 15_000
const POST_EVERY_MS = 700
const ASK_EVERY_MS = 3000

type World = ClusterWorld & { round: NodesRound }

export async function runNodesSoak(options: NodesOptions): Promise<NodesRound[]> {
  await ensureBuild()
  const world = await openClusterWorld({ ...options, nodes: NODES })
  const done: NodesRound[] = []
  const bag: Fault[] = []
  try {
    await Promise.all(world.nodes.map(world.start))
    await untilEqual(world, FILLED_WITHIN_MS)
    for (let number = 1; number <= options.rounds; number += 1) {
      if (bag.length === 0) bag.push(...FAULTS)
      const [fault = FAULTS[0]] = bag.splice(Math.floor(options.random() * bag.length), 1)
      const round = await runRound(world, number, fault)
      done.push(round)
      options.onRound?.(round)
    }
    return done
  } finally {
    await world.close()
  }
}

async function runRound(open: ClusterWorld, number: number, fault: Fault): Promise<NodesRound> {
  const round: NodesRound = {
    number,
    fault,
    leaderKills: 0,
    databaseKills: 0,
    counts: await open.count(),
    takeoversMs: [],
    equalMs: 0,
    problems: [],
  }
  const world: World = { ...open, round }
  const posting = new AbortController()
  const posted = fault === 'edition' ? Promise.resolve() : post(world, posting.signal)
  try {
    await sleep(3000 * world.random())
    await BREAK[fault](world)
    await restore(world)
  } catch (error) {
    round.problems.push(String(error))
    await restore(world)
  } finally {
    posting.abort()
    await posted
  }
  const begun = performance.now()
  round.problems.push(...(await untilEqual(world, EQUAL_WITHIN_MS)))
  round.equalMs = performance.now() - begun
  round.counts = await world.count()
  round.problems.push(...listExcesses(round.counts))
  return round
}

async function post({ random, post: add, askToSync }: World, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    add(random() < 0.1 ? 500 : 1 + Math.floor(random() * 5))
    if (random() < 0.4) askToSync()
    await sleep(POST_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}

async function restore(world: World): Promise<void> {
  for (const node of world.nodes) {
    node.line.restore()
    node.signal('SIGCONT')
    if (!node.isDown && node.pid() === null) {
      world.round.problems.push(`${node.name} ended by itself: ${node.log().slice(-2000)}`)
    }
    await world.start(node)
  }
}

async function untilEqual(world: ClusterWorld, withinMs: number): Promise<string[]> {
  const end = performance.now() + withinMs
  for (;;) {
    world.askToSync()
    const problems = await world.compare()
    if (problems.length === 0 || performance.now() > end) return problems
    await sleep(ASK_EVERY_MS / 2)
  }
}

const BREAK: Record<Fault, (world: World) => Promise<void>> = {
  'leader killed': killLeader,
  async 'leaders killed'(world) {
    for (let times = 0; times < 5; times += 1) {
      await killLeader(world)
      await sleep(2000 * world.random())
    }
  },
  async 'leader stopped'(world) {
    const { node } = await theLeader(world)
    node.signal('SIGSTOP')
    await untilAnother(world, node)
    await sleep(3000 * world.random())
    node.signal('SIGCONT')
    await sleep(3000)
  },
  'database killed': async (world) => await killDatabase(world, 0),
  'database away': async (world) => await killDatabase(world, 2000 + 25_000 * world.random()),
  async 'lines cut'(world) {
    for (let times = 0; times < 12; times += 1) {
      for (const { line } of world.nodes) line.cut(drawBytes(world))
      await sleep(1500 * world.random())
    }
  },
  async 'line of leader cut'(world) {
    for (let times = 0; times < 12; times += 1) {
      const { node } = await theLeader(world)
      node.line.cut(drawBytes(world))
      await sleep(1500 * world.random())
    }
  },
  async 'line of leader silent'(world) {
    const { node } = await theLeader(world)
    node.line.silence()
    await untilAnother(world, node)
  },
  async 'clock wrong'(world) {
    const node = world.nodes[Math.floor(world.random() * world.nodes.length)]
    if (!node) return
    await world.kill(node)
    node.wrongBy = [-3600, 0, 3600][Math.floor(world.random() * 3)] ?? 0
    await world.start(node)
    for (const other of world.nodes) {
      if (other === node) continue
      await world.kill(other)
    }
    await waitFor(async () => (await world.leader()).node === node, LEADS_WITHIN_MS)
    await sleep(5000)
  },
  async edition(world) {
    await Promise.all(world.nodes.map(world.kill))
    world.passWeek()
    await Promise.all(world.nodes.map(world.start))
    await theLeader(world)
    await sleep(6000 * world.random())
    await killLeader(world)
  },
}

/** Log-uniform. */
const drawBytes = ({ random }: World) => Math.floor(10 ** (5 * random()) - 1)

async function theLeader(world: World): Promise<{ node: SoakNode; epoch: number }> {
  let found = await world.leader()
  await waitFor(async () => {
    found = await world.leader()
    return found.node !== null
  }, LEADS_WITHIN_MS)
  if (found.node === null) throw new Error('nobody syncs')
  return { node: found.node, epoch: found.epoch }
}

async function killLeader(world: World): Promise<void> {
  const { node } = await theLeader(world)
  await world.kill(node)
  world.round.leaderKills += 1
  await untilAnother(world, node)
  await world.start(node)
}

async function untilAnother(world: World, gone: SoakNode): Promise<void> {
  const begun = performance.now()
  await waitFor(async () => {
    const { node } = await world.leader()
    return node !== null && node !== gone
  }, LEADS_WITHIN_MS)
  const ms = performance.now() - begun
  world.round.takeoversMs.push(ms)
  if (ms > LEASE_MS + 5000) world.round.problems.push(`nobody synced for ${Math.round(ms)} ms`)
}

/** 0 ms: three kills in a row. */
async function killDatabase(world: World, forMs: number): Promise<void> {
  const times = forMs === 0 ? 3 : 1
  for (let time = 0; time < times; time += 1) {
    await world.server.kill()
    world.round.databaseKills += 1
    await sleep(forMs)
    await world.server.start()
    await sleep(2500 * world.random())
  }
}
