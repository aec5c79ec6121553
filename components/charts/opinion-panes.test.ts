import { expect, it } from 'vitest'
import { selectSolePrediction } from './opinion-panes.tsx'

it('a prediction that all share is said and not drawn', () => {
  const zero = { low: 0, high: 0 }
  const none = { low: null, high: null }
  expect(selectSolePrediction([zero, none, zero], [{ prediction: 0 }])).toBe(0)
  expect(selectSolePrediction([zero, { low: 0, high: 4 }], [])).toBeNull()
  expect(selectSolePrediction([zero], [{ prediction: -1 }])).toBeNull()
  expect(selectSolePrediction([none], [])).toBeNull()
})
