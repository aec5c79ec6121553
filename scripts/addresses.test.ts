import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/* The framework's links add BASE_PATH; other addresses must pass `lib/contract/base-path.ts`
   (docs/decisions/29). */

const ROOMS = ['app', 'components', 'lib/client']

const files = ROOMS.flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => `${room}/${name}`),
)

const ALLOWED = new Map([
  [
    'components/docs/doc-blocks.tsx: {href',
    'leads to another site: our own are links of the framework',
  ],
  [
    'components/charts/save/svg-export.ts: address',
    'stands in a style sheet, as a browser asks for it',
  ],
  [
    'components/ratings/ratings-body.tsx: window.history.replaceState',
    'keeps a scroll position with the entry, whose address stays',
  ],
  ['components/shell/frame.tsx: = window.location', 'is printed as the browser shows it'],
  [
    "components/saved/views-file.ts: 'bellwether.views'",
    'says what a file is, and is no name of anything kept',
  ],
  ["components/store/earlier-keys.ts: 'bellwether.'", 'is only what names begin with'],
  [
    'components/charts/save/save-chart.tsx: "$' + '{toAttribute(address)}',
    'is a text to copy, of an address that was made under the path',
  ],
  ['lib/client/fetch-api.ts: = window.location', 'is read without what it stands under'],
])

const findAll = (pattern: RegExp, isFine: (found: string) => boolean = () => false): string[] =>
  files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(pattern)]
      .map(([, found = '']) => found.trim())
      .filter((found) => !isFine(found))
      .map((found) => `${file}: ${found}`)
      .filter((line) => !ALLOWED.has(line)),
  )

const isBased = (value: string) => /^\{?withBase\(/.test(value)
const isElsewhere = (value: string) => /^(?:\{`|")(?:#|https:|feed:)/.test(value)

it('elements that the browser follows itself name addresses under the path', () => {
  const element =
    /<(?:a|form|iframe|img|area|source|video)\b(?:(?!<\/?[A-Za-z])[\s\S])*?\s(?:href|action|src)=(\{[^}(]*\(?|"[^"]*)/g
  expect(findAll(element, (value) => isBased(value) || isElsewhere(value))).toEqual([])
})

it('what is asked for or opened by a script is asked for under the path', () => {
  const asked =
    /(?:\bfetch|\bnew EventSource|\bwindow\.open|\blocation\.(?:assign|replace)|\bsendBeacon)\(\s*([^,)(]+\(?)/g
  expect(findAll(asked, isBased)).toEqual([])
  expect(findAll(/[:=,([]\s*(fetch|EventSource)\s*[,)}\]]/g)).toEqual([])
})

it('the address in sight is read and written by the router and nuqs', () => {
  expect(findAll(/(window\.history\.(?:push|replace)State)/g)).toEqual([])
  expect(findAll(/(window\.location\.(?:pathname|href))/g)).toEqual([])
  const taken = /\{[^}]*\bpathname\b[^}]*\}\s(= window\.location)\b/g
  expect(findAll(taken)).toEqual([])
})

it('what names an address of ours for others names it under the path', () => {
  expect(findAll(/(?:url|apple|manifest): (['"`]\/[^'"`]*)/g)).toEqual([])
  expect(
    findAll(
      /(window\.location\.origin \+ (?!withBase).*|\$\{(?:window\.location\.)?origin\}\$\{(?!withBase).*)/g,
    ),
  ).toEqual([])
})

it('what a browser keeps has a name of this dashboard alone', () => {
  expect(findAll(/(?<!toKeptName\()('bellwether\.[^']*')/g)).toEqual([])
  expect(findAll(/(?:document\.cookie = |;\s*)(path=\/(?!\/).*)/gi)).toEqual([])
})
