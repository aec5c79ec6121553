import { expect, test } from 'vitest'
import { isPlainName, parseGroups } from './names.ts'

const HIDDEN = [
  ...['\u0000', '\t', '\n', '\u001b', '\u007f', '\u0085', '\u00a0', '\u00ad', '\u034f', '\u061c'],
  ...['\u115f', '\u1680', '\u180e', '\u2003', '\u200b', '\u200d', '\u2028', '\u2029', '\u202e'],
  ...['\u205f', '\u2060', '\u2800', '\u3000', '\u3164', '\ud800', '\ufe0f', '\ufeff', '\uffa0'],
  ...['\ufffd', '\u{e0061}'],
]

test.each(HIDDEN)('no name holds %j, at an edge or within', (hidden) => {
  for (const name of [`${hidden}ada`, `ada${hidden}`, `a${hidden}da`, hidden]) {
    expect(isPlainName(name)).toBe(false)
  }
})

test.each(['ada', 'Zoë Kovač', 'a@b.example', '山田 太郎', 'o’neill', '😀'])(
  '%s is a name',
  (name) => {
    expect(isPlainName(name)).toBe(true)
  },
)

test.each([
  ['users|ratings-operators', ['users', 'ratings-operators']],
  ['users,ratings-operators', ['users', 'ratings-operators']],
  [' users ;\tratings-operators;', ['users', 'ratings-operators']],
  ['a,b;c|d', ['a', 'b', 'c', 'd']],
  ['users ratings-operators', ['users ratings-operators', 'users', 'ratings-operators']],
  ['users', ['users']],
  ['Domain Users,Ratings Operators', ['Domain Users', 'Ratings Operators']],
  ['friends of ratings-operators, users', ['friends of ratings-operators', 'users']],
  ['Ratings Operators', ['Ratings Operators', 'Ratings', 'Operators']],
  ['', []],
  [',;| ', []],
  ['users\u00a0ratings-operators', []],
  ['ratings-operators\u3000, users', ['users']],
])('the groups in %j are %j', (text, groups) => {
  expect(parseGroups(text)).toEqual(groups)
})
