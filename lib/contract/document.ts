export type DocInline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'em'; content: readonly DocInline[] }
  /** Begins with `/`, `#` or a scheme. */
  | { kind: 'link'; href: string; content: readonly DocInline[] }
  | { kind: 'break' }

/** `id` is the anchor. */
export type DocHeading = {
  kind: 'heading'
  level: number
  id: string
  text: string
  content: readonly DocInline[]
}

export type DocBlock =
  | DocHeading
  /** `line`: a paragraph of a tight list. */
  | { kind: 'paragraph' | 'line'; content: readonly DocInline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'list'; isOrdered: boolean; start: number; items: readonly (readonly DocBlock[])[] }
  /** `ids`: anchors of the rows, if any. */
  | {
      kind: 'table'
      head: readonly DocCell[]
      rows: readonly (readonly DocCell[])[]
      ids?: readonly string[]
    }
  | { kind: 'quote'; blocks: readonly DocBlock[] }
  | { kind: 'rule' }

export type DocCell = readonly DocInline[]

export type Doc = { path: string; title: string; blocks: readonly DocBlock[] }

export const toDocHref = (path: string): string => `/docs/${path}`

export const toPlainText = (content: readonly DocInline[]): string =>
  content
    .map((inline) => {
      if ('text' in inline) return inline.text
      return 'content' in inline ? toPlainText(inline.content) : ' '
    })
    .join('')
