import 'server-only'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Doc, toDocHref, toPlainText } from '#lib/contract/document.ts'
import { parseMarkdown, toDocPath } from './parse-markdown.ts'

/** What the documents are read for, in the order of the index. Those of no group are left out there. */
const GROUPS = [
  { name: 'Use it', paths: ['filter-text', 'opinion', 'glossary', 'embedding', 'api'] },
  { name: 'Run it', paths: ['configuration', 'operations', 'sync', 'faults', 'figures'] },
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
async function listDocs(): Promise<Map<string, string>> {
  const files = await readdir(toFolder(), { recursive: true })
  return new Map(
    files.flatMap((name): [string, string][] => {
      const file = name.replaceAll('\\', '/')
      const path = toDocPath(file)
      return path === null ? [] : [[path, file]]
    }),
  )
}

/** The paths of all documents, sorted. */
export const listDocPaths = async (): Promise<string[]> => [...(await listDocs()).keys()].sort()

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
