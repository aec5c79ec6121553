import 'server-only'
import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import {
  type Doc,
  type DocBlock,
  type DocCell,
  type DocHeading,
  type DocInline,
  toDocHref,
  toPlainText,
} from '#lib/contract/document.ts'

const GLOSSARY = 'glossary'

/** What the documents are read for, in the order of the index. Those of no group are left out there. */
const GROUPS = [
  {
    name: 'Use it',
    paths: [
      'filter-text',
      'watching',
      'opinion',
      'records',
      'lookups',
      'changes',
      GLOSSARY,
      'embedding',
      'feeds',
      'alerts',
      'api',
    ],
  },
  {
    name: 'Run it',
    paths: [
      'configuration',
      'access',
      'operations',
      'nodes',
      'sync',
      'faults',
      'threats',
      'asvs',
      'figures',
    ],
  },
  { name: 'Change it', paths: ['tour', 'architecture', 'decisions'] },
] as const

/** `lead` is the first sentence of the document. */
export type DocEntry = { path: string; title: string; lead: string }
export type DocGroup = { name: string; entries: readonly DocEntry[] }

/**
 * They lie beside the build, wherever it is started: `npm start` and the image begin in the folder that holds both. The
 * build would take every file below a folder that it cannot tell; next.config.mjs names those that are wanted.
 */
const toFolder = () => join(/* turbopackIgnore: true */ process.cwd(), 'docs')

/** Every document by its path, with the file that it is. */
export async function listDocs(): Promise<Map<string, string>> {
  const files = await readdir(toFolder(), { recursive: true })
  return new Map(
    files.flatMap((name): [string, string][] => {
      const file = name.replaceAll('\\', '/')
      const path = toDocPath(file)
      return path === null ? [] : [[path, file]]
    }),
  )
}

/** A document of the project, or null where there is none of that path. */
export const readDoc = async (path: string): Promise<Doc | null> => await load(path, '')

/** The same for a page that shows a part of it: its links to itself lead to its own page. */
export const readDocPart = async (path: string): Promise<Doc | null> =>
  await load(path, toDocHref(path))

async function load(path: string, anchors: string): Promise<Doc | null> {
  const docs = await listDocs()
  const file = docs.get(path)
  if (file === undefined) return null
  const markdown = await readFile(join(/* turbopackIgnore: true */ toFolder(), file), 'utf8')
  return parseMarkdown(markdown, { path, others: new Set(docs.keys()), anchors })
}

/** The index. */
export const readDocGroups = (): Promise<DocGroup[]> =>
  Promise.all(
    GROUPS.map(async ({ name, paths }) => ({
      name,
      entries: (await Promise.all(paths.map(toEntry))).flat(),
    })),
  )

async function toEntry(path: string): Promise<DocEntry[]> {
  const doc = await readDoc(path)
  if (!doc) return []
  const [lead = []] = doc.blocks.flatMap((block) =>
    block.kind === 'paragraph' ? [block.content] : [],
  )
  const [sentence = ''] = /^.*?[.!?](?=\s|$)/.exec(toPlainText(lead)) ?? []
  return [{ path, title: doc.title, lead: sentence }]
}

/**
 * Where a document stands and which others there are, so that links between them lead somewhere; `anchors` is the address
 * that its own are on, where that is another page.
 */
type Place = { path: string; others: ReadonlySet<string>; anchors?: string }

/**
 * A Markdown file as blocks that a page draws. HTML stays text, except line breaks; comments are left out.
 * The first heading is the title.
 */
export function parseMarkdown(markdown: string, place: Place): Doc {
  const blocks = toBlocks(lexer(markdown), { ...place, ids: new Map() })
  const at = blocks.findIndex((block) => block.kind === 'heading')
  const first = blocks[at]
  const title = first?.kind === 'heading' ? first.text : place.path
  return { path: place.path, title, blocks: blocks.filter((_, index) => index !== at) }
}

/** `ids` counts how often an anchor was given. */
type Reading = Place & { ids: Map<string, number> }

const toBlocks = (tokens: readonly Token[], reading: Reading): DocBlock[] =>
  tokens.filter(isKnown).flatMap((token) => toBlock(token, reading))

function toBlock(token: MarkedToken, reading: Reading): DocBlock[] {
  switch (token.type) {
    case 'heading':
      return [toHeading(token, reading)]
    case 'paragraph':
      return [{ kind: 'paragraph', content: toInlines(token.tokens, reading) }]
    case 'text':
      return [{ kind: 'line', content: toInlines(token.tokens ?? [token], reading) }]
    case 'code':
      return [{ kind: 'code', language: token.lang ?? '', text: token.text }]
    case 'html':
      if (COMMENT.test(token.text)) return []
      return [{ kind: 'paragraph', content: [{ kind: 'text', text: token.text.trim() }] }]
    case 'list':
      return [toList(token, reading)]
    case 'table':
      return [toTable(token, reading)]
    case 'blockquote':
      return [{ kind: 'quote', blocks: toBlocks(token.tokens, reading) }]
    case 'hr':
      return [{ kind: 'rule' }]
    default:
      return []
  }
}

function toHeading({ depth, tokens }: Tokens.Heading, reading: Reading): DocHeading {
  const content = toInlines(tokens, reading)
  const text = toPlainText(content)
  return { kind: 'heading', level: depth, id: toAnchor(text, reading.ids), text, content }
}

const toList = ({ ordered, start, items }: Tokens.List, reading: Reading): DocBlock => ({
  kind: 'list',
  isOrdered: ordered,
  start: start === '' ? 1 : start,
  items: items.map((item) => toBlocks(item.tokens, reading)),
})

function toTable({ header, rows: given }: Tokens.Table, reading: Reading): DocBlock {
  const toCell = ({ tokens }: Tokens.TableCell): DocCell => toInlines(tokens, reading)
  const rows = given.map((row) => row.map(toCell))
  const ids =
    reading.path === GLOSSARY
      ? rows.map(([word = []]) => toAnchor(toPlainText(word), reading.ids))
      : undefined
  return { kind: 'table', head: header.map(toCell), rows, ids }
}

const toInlines = (tokens: readonly Token[], reading: Reading): DocInline[] =>
  tokens.filter(isKnown).flatMap((token) => toInline(token, reading))

function toInline(token: MarkedToken, reading: Reading): DocInline[] {
  switch (token.type) {
    case 'text':
      if (token.tokens) return toInlines(token.tokens, reading)
      return [{ kind: 'text', text: toOneLine(token.text) }]
    case 'codespan':
      return [{ kind: 'code', text: token.text }]
    case 'html':
      return [BREAK.test(token.text) ? { kind: 'break' } : { kind: 'text', text: token.text }]
    case 'escape':
      return [{ kind: 'text', text: token.text }]
    case 'strong':
    case 'em':
      return [{ kind: token.type, content: toInlines(token.tokens, reading) }]
    case 'del':
      return toInlines(token.tokens, reading)
    case 'link':
      return toLink(token, reading)
    case 'image':
      return [{ kind: 'text', text: token.text }]
    case 'br':
      return [{ kind: 'break' }]
    default:
      return []
  }
}

/** Only a comment, such as the markers of a generated part. */
const COMMENT = /^<!--(?:(?!-->)[\s\S])*-->\s*$/

/** Lines within a cell of a table have no other way to end. */
const BREAK = /^<br ?\/?>$/

const toOneLine = (text: string) => text.replaceAll('\n', ' ')

/** A link that leads nowhere in this dashboard is its text: files of the sources are not served. */
function toLink({ href, tokens }: Tokens.Link, reading: Reading): DocInline[] {
  const content = toInlines(tokens, reading)
  const target = resolveHref(href, reading)
  return target === null ? content : [{ kind: 'link', href: target, content }]
}

const DECISIONS = 'decisions'

/** Where a link of a document leads from its page, or null. */
function resolveHref(href: string, { path, others, anchors = '' }: Place): string | null {
  if (href.startsWith('#')) return `${anchors}${href}`
  if (/^https?:\/\//.test(href)) return href
  const [file = '', anchor] = href.split('#')
  // The index of the decisions stands in their folder, and has its name.
  const folder = path === DECISIONS ? DECISIONS : posix.dirname(path)
  const other = toDocPath(posix.join(folder, file))
  if (other === null || !others.has(other)) return null
  return toDocHref(other) + (anchor === undefined ? '' : `#${anchor}`)
}

/** The path of a document by its file below `docs`: `api.md` is `api`, `decisions/README.md` is `decisions`. Else null. */
function toDocPath(file: string): string | null {
  if (!file.endsWith('.md')) return null
  return file.slice(0, -'.md'.length).replace(/\/README$/, '')
}

/** The anchor of a heading as code hosts make it, so that links work there and here. */
function toAnchor(text: string, given: Map<string, number>): string {
  const plain = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
  const count = given.get(plain) ?? 0
  given.set(plain, count + 1)
  return count === 0 ? plain : `${plain}-${count}`
}

const KNOWN: ReadonlySet<string> = new Set<MarkedToken['type']>([
  'blockquote',
  'br',
  'code',
  'codespan',
  'del',
  'em',
  'escape',
  'heading',
  'hr',
  'html',
  'image',
  'link',
  'list',
  'paragraph',
  'strong',
  'table',
  'text',
])

/** The library's own tokens, and none of an extension. */
const isKnown = (token: Token): token is MarkedToken => KNOWN.has(token.type)
