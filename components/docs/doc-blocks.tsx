import type { ReactNode } from 'react'
import { AsOfLink } from '#components/time/as-of.tsx'
import { TableFrame } from '#components/ui/table.tsx'
import type { DocBlock, DocCell, DocHeading, DocInline } from '#lib/contract/document.ts'
import { OwnCode } from './own-code.tsx'

/** Descendant styles: a class on each of hundreds of blocks would bloat the page. */
export const DOC_CLASSES = [
  '[&_:not(pre)>code]:rounded-sm [&_:not(pre)>code]:bg-sunk [&_:not(pre)>code]:px-1 [&_:not(pre)>code]:py-px',
  '[&_:not(pre)>code]:font-mono [&_:not(pre)>code]:text-[0.92em] [&_:not(pre)>code]:wrap-anywhere',
  '[&_td]:max-w-[60ch] [&_td]:min-w-28 [&_td]:border-b [&_td]:px-3 [&_td]:py-1.5 [&_td]:align-top',
  '[&_tbody>tr:last-child>td]:border-b-0 [&_tr]:scroll-mt-12 [&_tr:target]:bg-accent-bg',
  '[&_th]:border-b [&_th]:px-3 [&_th]:py-1.5 [&_th]:text-left [&_th]:align-bottom [&_th]:font-medium [&_th]:text-ink-3',
  '[&_:is(h2,h3)]:scroll-mt-4 [&_:is(h2,h3)]:wrap-anywhere [&_:is(h2,h3)>a]:decoration-line-2',
  '[&_:is(h2,h3)>a]:underline-offset-4 [&_:is(h2,h3)>a]:hover:underline',
  '[&_h2]:pt-5 [&_h2]:text-xl [&_h3]:pt-4 [&_h3]:text-lg',
].join(' ')

export function DocBlocks({ blocks, name }: { blocks: readonly DocBlock[]; name: string }) {
  let heading = name
  let tables = 0
  return blocks.map((block, index) => {
    if (block.kind === 'heading') {
      heading = block.text
      tables = 0
    }
    if (block.kind === 'table') tables += 1
    const called = block.kind === 'table' && tables > 1 ? `${heading}, ${tables}` : heading
    // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change while it is read
    return <Block key={index} block={block} name={called} />
  })
}

function Block({ block, name }: { block: DocBlock; name: string }) {
  switch (block.kind) {
    case 'heading':
      return <Heading heading={block} />
    case 'paragraph':
      return (
        <p className="max-w-text">
          <Inlines content={block.content} />
        </p>
      )
    case 'line':
      return <Inlines content={block.content} />
    case 'code':
      return <Code text={block.text} />
    case 'list':
      return <List list={block} name={name} />
    case 'table':
      return <DocTable table={block} name={name} />
    case 'quote':
      return (
        <blockquote className="max-w-text border-l-2 border-line-2 pl-4 text-ink-2">
          <DocBlocks blocks={block.blocks} name={name} />
        </blockquote>
      )
    case 'rule':
      return <hr />
  }
}

function Heading({ heading: { level, id, content } }: { heading: DocHeading }) {
  const Tag = level <= 2 ? 'h2' : 'h3'
  return (
    <Tag id={id}>
      <a href={`#${id}`}>
        <Inlines content={content} isPlain />
      </a>
    </Tag>
  )
}

/** `isPlain`: inside a link or heading. */
function Inlines({ content, isPlain = false }: { content: DocCell; isPlain?: boolean }) {
  return content.map((inline, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change while it is read
    <Inline key={index} inline={inline} isPlain={isPlain} />
  ))
}

type InlineProps = { inline: DocInline; isPlain: boolean }

function Inline({ inline, isPlain }: InlineProps): ReactNode {
  switch (inline.kind) {
    case 'text':
      return inline.text
    case 'code':
      if (isPlain) return inline.text
      return <code>{inline.text}</code>
    case 'key':
      if (isPlain) return inline.text
      return (
        <kbd className="rounded-sm border border-line-2 px-1 font-sans text-xs">{inline.text}</kbd>
      )
    case 'strong':
      return (
        <strong className="font-semibold text-ink">
          <Inlines content={inline.content} isPlain={isPlain} />
        </strong>
      )
    case 'em':
      return (
        <em>
          <Inlines content={inline.content} isPlain={isPlain} />
        </em>
      )
    case 'link':
      return isPlain ? (
        <Inlines content={inline.content} isPlain />
      ) : (
        <DocLink href={inline.href}>
          <Inlines content={inline.content} />
        </DocLink>
      )
    case 'break':
      return <br />
  }
}

function DocLink({ href, children }: { href: string; children: ReactNode }) {
  if (href.startsWith('/')) {
    return (
      <AsOfLink href={href} className="link">
        {children}
      </AsOfLink>
    )
  }
  return (
    <a href={href} className="link">
      {children}
    </a>
  )
}

const Code = ({ text }: { text: string }) => (
  <pre
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    tabIndex={0}
    className="overflow-x-auto rounded-lg border bg-surface px-4 py-3 font-mono text-sm -outline-offset-2 [scrollbar-width:thin]"
  >
    <OwnCode text={text} />
  </pre>
)

type ListProps = { list: Extract<DocBlock, { kind: 'list' }>; name: string }

function List({ list: { isOrdered, start, items }, name }: ListProps) {
  const lines = items.map((blocks, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change while it is read
    <li key={index} className="max-w-text pl-1 [&>*+*]:mt-2">
      <DocBlocks blocks={blocks} name={name} />
    </li>
  ))
  const className = 'flex flex-col gap-1.5 pl-5'
  if (!isOrdered) return <ul className={`list-disc ${className}`}>{lines}</ul>
  return (
    <ol start={start} className={`list-decimal ${className}`}>
      {lines}
    </ol>
  )
}

type TableProps = { table: Extract<DocBlock, { kind: 'table' }>; name: string }

function DocTable({ table: { head, rows, ids }, name }: TableProps) {
  return (
    <TableFrame aria-label={`Table: ${name}`}>
      <table className="w-full border-separate border-spacing-0 text-base">
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change while it is read
                key={index}
                scope="col"
              >
                <Inlines content={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change while it is read
            <tr key={index} id={ids?.[index]}>
              {cells.map((cell, column) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change while it is read
                  key={column}
                >
                  <Inlines content={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}
