import { expect, it } from 'vitest'
import { createStamp } from './compose.ts'

function start() {
  const listeners: (() => void)[] = []
  const world = { seconds: 0, version: '0.1', names: 0 }
  const stamp = createStamp({
    archive: { state: () => ({ version: world.version }) },
    names: { version: () => world.names },
    sync: {
      onChange: (listener) => {
        listeners.push(listener)
        return () => {}
      },
      onEvent: () => () => {},
    },
    now: () => world.seconds,
    nowMs: () => world.seconds * 1000,
  })
  const change = () => {
    for (const tell of listeners) tell()
  }
  return { world, stamp, change }
}

it('a page is good for its generation, its names of symbols and its minute', () => {
  const { world, stamp } = start()
  const first = stamp()
  world.seconds = 59
  expect(stamp()).toBe(first)
  world.seconds = 60
  const second = stamp()
  expect(second).not.toBe(first)
  world.version = '0.2'
  const third = stamp()
  expect(third).not.toBe(second)
  world.names += 1
  expect(stamp()).not.toBe(third)
})
