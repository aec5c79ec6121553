import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPathPart, toPathPart } from './path-part.ts'

const part = fc.array(fc.constantFrom('.', '~', '%2e', '%', '/', '\\', 'A', 'é', ' ', '?', ';'), {
  minLength: 1,
})

test('a name has one path, which no parser changes', () => {
  fc.assert(
    fc.property(
      part.map((pieces) => pieces.join('')),
      (name) => {
        const path = `/symbols/${toPathPart(name)}/series`
        expect(new URL(path, 'http://dashboard').pathname).toBe(path)
        expect(new URL(`..${path}`, 'http://dashboard/a/b').pathname).toBe(`${path}`)
        expect(readPathPart(toPathPart(name))).toBe(name)
      },
    ),
    { examples: [['.'], ['..'], ['~.'], ['~~..'], ['...'], ['~'], ['%2e']] },
  )
})

test.each([
  ['.', '~.'],
  ['..', '~..'],
  ['~.', '~~.'],
  ['...', '...'],
  ['~A', '~A'],
  ['BRK.B', 'BRK.B'],
])('%s is written %s', (name, path) => {
  expect(toPathPart(name)).toBe(path)
})
