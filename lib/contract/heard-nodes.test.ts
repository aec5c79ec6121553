import { expect, test } from 'vitest'
import { selectHeard } from './heard-nodes.ts'

const seen = (...instants: number[]) => instants.map((seen_at) => ({ seen_at }))

test('a node that says nothing while the others do is silent, whatever the clock of this machine says', () => {
  expect(selectHeard(seen(1000, 995, 969))).toEqual(seen(1000, 995))
  expect(selectHeard(seen(1000))).toEqual(seen(1000))
})

test('of no nodes none is heard', () => {
  expect(selectHeard([])).toEqual([])
})
