import { expect, test } from 'vitest'
import { selectLiveNodes } from './live-nodes.ts'

const seen = (...instants: number[]) => instants.map((seen_at) => ({ seen_at }))

test('a node that says nothing while the others do is silent, whatever the clock of this machine says', () => {
  expect(selectLiveNodes(seen(1000, 995, 969))).toEqual(seen(1000, 995))
  expect(selectLiveNodes(seen(1000))).toEqual(seen(1000))
})

test('of no nodes none is heard', () => {
  expect(selectLiveNodes([])).toEqual([])
})
