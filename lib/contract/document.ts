/** A piece of a line of text. */
export type DocInline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'em'; content: readonly DocInline[] }
  /** `href` begins with `/`, `#` or a scheme: each leads somewhere. */
  | { kind: 'link'; href: string; content: readonly DocInline[] }
  | { kind: 'break' }

/** A heading; `id` is its anchor, `text` what it says without marks. */
export type DocHeading = {
  kind: 'heading'
  level: number
  id: string
  text: string
  content: readonly DocInline[]
}

/** A part of a document, from top to bottom. */
export type DocBlock =
  | DocHeading
  /** A `line` is a paragraph in a list without space between its items. */
  | { kind: 'paragraph' | 'line'; content: readonly DocInline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'list'; isOrdered: boolean; start: number; items: readonly (readonly DocBlock[])[] }
  /** `ids` are the anchors of its rows, where they have some. */
  | {
      kind: 'table'
      head: readonly DocCell[]
      rows: readonly (readonly DocCell[])[]
      ids?: readonly string[]
    }
  | { kind: 'quote'; blocks: readonly DocBlock[] }
  | { kind: 'rule' }

export type DocCell = readonly DocInline[]

/** A document of the project as a page shows it: its title, and what stands below it. */
export type Doc = { path: string; title: string; blocks: readonly DocBlock[] }

/** Where a document is read: `/docs/api`, `/docs/decisions/001-one-schema-for-the-query`. */
export const toDocHref = (path: string): string => `/docs/${path}`

/** What a line says, without its marks. */
export const toPlainText = (content: readonly DocInline[]): string =>
  content
    .map((inline) => {
      if ('text' in inline) return inline.text
      return 'content' in inline ? toPlainText(inline.content) : ' '
    })
    .join('')
