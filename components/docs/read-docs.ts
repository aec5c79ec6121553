import 'server-only'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
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

const GROUPS = [
  { name: 'Get started', paths: ['get-started'] },
  {
    name: 'Use it',
    paths: ['table', 'charts', 'sql', 'files', 'notebook', 'alerts', 'assistants'],
  },
  {
    name: 'Run it',
    paths: ['configuration', 'access', 'operations', 'nodes', 'troubleshooting'],
  },
  { name: 'API', paths: ['api'] },
  { name: 'How figures are defined', paths: ['definitions', 'prices', GLOSSARY] },
] as const

type DocEntry = { path: string; title: string; lead: string }
type DocGroup = { name: string; entries: readonly DocEntry[] }

/** The comment stops the build from tracing every file. */
const toFolder = () => join(/* turbopackIgnore: true */ process.cwd(), 'docs')

/** The documents for readers: those in folders of `docs` are for contributors. */
export async function listDocs(): Promise<ReadonlySet<string>> {
  const files = await readdir(toFolder())
  return new Set(files.flatMap((file) => toDocPath(file) ?? []))
}

/** Null if there is no such document. */
export async function readDoc(path: string): Promise<Doc | null> {
  const others = await listDocs()
  const markdown = await readMarkdown(path, others)
  return markdown === null ? null : parseMarkdown(markdown, { path, others })
}

/** Null if there is no such document. */
export async function readMarkdown(
  path: string,
  docs?: ReadonlySet<string>,
): Promise<string | null> {
  if (!(docs ?? (await listDocs())).has(path)) return null
  return await readFile(join(/* turbopackIgnore: true */ toFolder(), `${path}.md`), 'utf8')
}

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

type DocContext = { path: string; others: ReadonlySet<string> }

/** HTML stays text, except `<kbd>` and `<br>`. */
export function parseMarkdown(markdown: string, context: DocContext): Doc {
  const blocks = toBlocks(lexer(markdown), { ...context, ids: new Map() })
  const at = blocks.findIndex((block) => block.kind === 'heading')
  const first = blocks[at]
  const title = first?.kind === 'heading' ? first.text : context.path
  return { path: context.path, title, blocks: blocks.filter((_, index) => index !== at) }
}

type DocReading = DocContext & { ids: Map<string, number> }

const toBlocks = (tokens: readonly Token[], reading: DocReading): DocBlock[] =>
  tokens.filter(isKnown).flatMap((token) => toBlock(token, reading))

function toBlock(token: MarkedToken, reading: DocReading): DocBlock[] {
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

function toHeading({ depth, tokens }: Tokens.Heading, reading: DocReading): DocHeading {
  const content = toInlines(tokens, reading)
  const text = toPlainText(content)
  return { kind: 'heading', level: depth, id: toAnchor(text, reading.ids), text, content }
}

const toList = ({ ordered, start, items }: Tokens.List, reading: DocReading): DocBlock => ({
  kind: 'list',
  isOrdered: ordered,
  start: start === '' ? 1 : start,
  items: items.map((item) => toBlocks(item.tokens, reading)),
})

function toTable({ header, rows: given }: Tokens.Table, reading: DocReading): DocBlock {
  const toCell = ({ tokens }: Tokens.TableCell): DocCell => toInlines(tokens, reading)
  const rows = given.map((row) => row.map(toCell))
  const ids =
    reading.path === GLOSSARY
      ? rows.map(([word = []]) => toAnchor(toPlainText(word), reading.ids))
      : undefined
  return { kind: 'table', head: header.map(toCell), rows, ids }
}

const toInlines = (tokens: readonly Token[], reading: DocReading): DocInline[] =>
  joinKeys(tokens.filter(isKnown)).flatMap((token) =>
    'kind' in token ? [token] : toInline(token, reading),
  )

/** `<kbd>E</kbd>` is three tokens. */
function joinKeys(tokens: readonly MarkedToken[]): (MarkedToken | DocInline)[] {
  const isKey = (index: number) =>
    tokens[index]?.raw === '<kbd>' &&
    tokens[index + 1]?.type === 'text' &&
    tokens[index + 2]?.raw === '</kbd>'
  return tokens.flatMap((token, index): (MarkedToken | DocInline)[] => {
    if (isKey(index) || isKey(index - 2)) return []
    return isKey(index - 1) ? [{ kind: 'key', text: toOneLine(token.raw) }] : [token]
  })
}

function toInline(token: MarkedToken, reading: DocReading): DocInline[] {
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

const COMMENT = /^<!--(?:(?!-->)[\s\S])*-->\s*$/

const BREAK = /^<br ?\/?>$/

const toOneLine = (text: string) => text.replaceAll('\n', ' ')

function toLink({ href, tokens }: Tokens.Link, reading: DocReading): DocInline[] {
  const content = toInlines(tokens, reading)
  const target = resolveHref(href, reading)
  return target === null ? content : [{ kind: 'link', href: target, content }]
}

/** Null if not served. */
function resolveHref(href: string, { others }: DocContext): string | null {
  if (href.startsWith('#') || /^https?:\/\//.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const other = toDocPath(file)
  if (other === null || !others.has(other)) return null
  return toDocHref(other) + (anchor === undefined ? '' : `#${anchor}`)
}

/** Null if not Markdown. */
const toDocPath = (file: string): string | null =>
  file.endsWith('.md') ? file.slice(0, -'.md'.length) : null

/** Same anchors as on code hosts. */
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

const isKnown = (token: Token): token is MarkedToken => KNOWN.has(token.type)
