import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const FOCUS = '2px solid var(--accent)'

/** By the tokens of `app/globals.css`, which hold for both themes. */
const look = EditorView.theme({
  '&': {
    background: 'var(--surface)',
    color: 'var(--ink)',
    border: '1px solid var(--line-2)',
    borderRadius: '8px',
    minHeight: 'var(--editor-height)',
  },
  '&:hover': { borderColor: 'var(--edge)' },
  '&.cm-focused': { outline: FOCUS, outlineOffset: '-1px' },
  '.cm-scroller': {
    fontFamily: 'var(--font-geist-mono), ui-monospace, monospace',
    fontSize: '0.8125rem',
    lineHeight: '1.25rem',
    minHeight: 'var(--editor-height)',
  },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 10px 0 6px' },
  '.cm-gutters': {
    background: 'transparent',
    color: 'var(--ink-3)',
    border: '0',
    minWidth: '36px',
    justifyContent: 'end',
  },
  '.cm-activeLineGutter': { background: 'transparent', color: 'var(--ink)' },
  '.cm-content ::selection': { background: 'var(--line-2)' },
  '&.cm-focused .cm-matchingBracket': {
    background: 'var(--sunk)',
    outline: '1px solid var(--edge)',
  },
  '.cm-placeholder': { color: 'var(--ink-3)' },
  '.cm-specialChar': { color: 'var(--rating-text-1)' },
  '.cm-sql-error': {
    textDecoration: 'underline wavy var(--rating-text-1)',
    textUnderlineOffset: '3px',
    background: 'color-mix(in srgb, var(--rating-1) 14%, transparent)',
  },
  '.cm-tooltip': {
    background: 'var(--surface)',
    color: 'var(--ink)',
    border: '1px solid var(--line-2)',
    borderRadius: '6px',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-geist-mono), ui-monospace, monospace',
    maxHeight: '14rem',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 10px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--accent-bg)',
    color: 'var(--ink)',
  },
  '.cm-completionDetail': { color: 'var(--ink-3)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionIcon': { display: 'none' },
  '.cm-tooltip.cm-completionInfo': { padding: '4px 10px', maxWidth: '22rem' },
})

const highlight = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent)', fontWeight: '500' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--rating-text-5)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--rating-text-1)' },
  { tag: [tags.typeName, tags.standard(tags.name)], color: 'var(--rating-text-4)' },
  { tag: tags.comment, color: 'var(--ink-3)', fontStyle: 'italic' },
])

export const theme = [look, syntaxHighlighting(highlight)]
