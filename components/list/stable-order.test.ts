import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ANY, only } from '#lib/contract/value-list.ts'
import { toOrder, toStableOrder } from './stable-order.ts'

const toTop = (...values: string[]) => values.map((value) => ({ value }))

describe('the places of a list', () => {
  it('begin with what is chosen, then go by count', () => {
    const listed = { top: toTop('A', 'B', 'C', 'D'), chosen: { only: ['C'], not: ['Z'] }, most: 3 }
    expect(toOrder(listed)).toEqual(['C', 'Z', 'A'])
  })

  it('stay as they are when counts, order and choice change', () => {
    const places = ['A', 'B', 'C']
    for (const chosen of [ANY, only('C'), { only: [], not: ['A', 'B'] }]) {
      expect(toStableOrder(places, { top: toTop('C', 'X', 'A'), chosen, most: 3 })).toBe(places)
    }
  })

  it('take in what is chosen elsewhere where the last stood that is not chosen', () => {
    const listed = { top: toTop('A'), chosen: only('Z', 'C'), most: 3 }
    expect(toStableOrder(['A', 'B', 'C'], listed)).toEqual(['A', 'Z', 'C'])
  })

  it('are filled where there were fewer values at first', () => {
    const listed = { top: toTop('B', 'A', 'C', 'D'), chosen: ANY, most: 3 }
    expect(toStableOrder(['A'], listed)).toEqual(['A', 'B', 'C'])
  })

  it('never lose what is chosen, hold nothing twice, and leave every chosen value where it stood', () => {
    const values = fc.uniqueArray(fc.constantFrom(...'ABCDEFGH'), { maxLength: 8 })
    fc.assert(
      fc.property(values, values, values, (places, chosen, top) => {
        const kept = toStableOrder(places, { top: toTop(...top), chosen: only(...chosen), most: 5 })
        expect(new Set(kept).size).toBe(kept.length)
        expect(kept).toEqual(expect.arrayContaining(chosen))
        places.forEach((value, at) => {
          if (chosen.includes(value)) expect(kept[at]).toBe(value)
        })
      }),
    )
  })
})
