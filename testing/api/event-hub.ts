import { createEventHub } from '#lib/api/event-hub.ts'
import type { LogEvent, Status } from '#lib/contract/answers/status.ts'
import { CALM_STATUS } from '#testing/contract/status.ts'
import { createTimers } from './timers.ts'

export const CALM = CALM_STATUS.sync
const { gaps } = CALM_STATUS.archive

export function openHub({ boot = 'boot', tellsEntries = true } = {}) {
  const timers = createTimers()
  const world = { now: 1000, sync: CALM, ratings: 10, generation: 1, reads: 0 }
  let onChange = () => {}
  let onEvent = (_event: LogEvent) => {}
  const readStatus = async (): Promise<Status> => {
    world.reads += 1
    return toStatus(world)
  }
  const hub = createEventHub({
    readStatus,
    archive: {
      state: () => ({
        ...world,
        version: String(world.generation),
        completeTo: world.now,
        quarantined: 0,
        vanished: 0,
        gaps,
        newestCreatedAt: null,
        quietAfterSeconds: 0,
      }),
    },
    sync: {
      state: () => world.sync,
      onChange: (listener) => {
        onChange = listener
        return () => {}
      },
      onEvent: (listener) => {
        onEvent = listener
        return () => {}
      },
    },
    now: () => world.now,
    setTimer: timers.setTimer,
    tellsEntries,
    boot,
  })
  return {
    hub,
    world,
    timers,
    change: (change: Partial<typeof world>) => {
      Object.assign(world, change)
      onChange()
    },
    log: (id: number) =>
      onEvent({ id, at: world.now, level: 'info', kind: 'dump', message: 'It came.', fields: {} }),
    listen: async (lastEventId: string | null = null, client = 'a') =>
      listenTo(await hub.open({ client, lastEventId })),
    open: async (client = 'a') => await hub.open({ client, lastEventId: null }),
  }
}

const toStatus = (world: { now: number; sync: Status['sync']; ratings: number }): Status => ({
  ...CALM_STATUS,
  archive: { ...CALM_STATUS.archive, ratings: world.ratings },
  sync: world.sync,
  now: world.now,
})

export type ReceivedEvent = { id: string | null; name: string; data: Record<string, unknown> }

function listenTo(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let ended: 'no' | 'ended' | 'broken' = 'no'
  const pump = async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value)
    }
    ended = 'ended'
  }
  const pumping = pump().catch(() => {
    ended = 'broken'
  })
  return {
    hear: async (): Promise<ReceivedEvent[]> => {
      await new Promise((resolve) => setImmediate(resolve))
      const blocks = text.split('\n\n').filter((block) => block.includes('event: '))
      text = ''
      return blocks.map(toReceivedEvent)
    },
    raw: async () => {
      await new Promise((resolve) => setImmediate(resolve))
      return text
    },
    ended: () => ended,
    leave: async () => {
      await reader.cancel()
      await pumping
    },
  }
}

function toReceivedEvent(block: string): ReceivedEvent {
  const field = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? null
  return { id: field('id'), name: field('event') ?? '', data: JSON.parse(field('data') ?? '{}') }
}
