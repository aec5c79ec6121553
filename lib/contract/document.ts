export type DocInline =
  | { kind: 'text' | 'code' | 'key'; text: string }
  | { kind: 'strong' | 'em'; content: readonly DocInline[] }
  | { kind: 'link'; href: string; content: readonly DocInline[] }
  | { kind: 'break' }

export type DocHeading = {
  kind: 'heading'
  level: number
  id: string
  text: string
  content: readonly DocInline[]
}

export type DocBlock =
  | DocHeading
  | { kind: 'paragraph' | 'line'; content: readonly DocInline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'list'; isOrdered: boolean; start: number; items: readonly (readonly DocBlock[])[] }
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
