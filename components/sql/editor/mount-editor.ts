import {
  acceptCompletion,
  autocompletion,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import {
  keywordCompletionSource,
  PostgreSQL,
  SQLDialect,
  schemaCompletionSource,
  sql,
} from '@codemirror/lang-sql'
import {
  bracketMatching,
  HighlightStyle,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language'
import { Compartment, EditorState, Prec, StateEffect, StateField } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
  tooltips,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'

export type CompletedTable = {
  name: string
  meaning: string
  columns: readonly { name: string; type: string; meaning: string }[]
}

type EditorOptions = {
  text: string
  label: string
  hint: string
  tables: readonly CompletedTable[]
  onChange: (text: string) => void
  onRun: () => void
}

export type Editor = {
  setText(text: string): void
  /** Marks the word there, or removes the mark. */
  showError(at: number | null): void
  goTo(at: number): void
  focus(): void
  setTables(tables: readonly CompletedTable[]): void
  destroy(): void
}

/**
 * In a shadow root, where styles are adopted sheets: the content security policy forbids the style
 * elements that CodeMirror adds to documents.
 */
export function mountEditor(host: HTMLElement, options: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  root.replaceChildren()
  const schema = new Compartment()
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => run(options.onRun) }])),
        lineNumbers(),
        history(),
        highlightSpecialChars(),
        bracketMatching(),
        EditorView.lineWrapping,
        placeholder('SELECT …'),
        errorMark,
        schema.of(toLanguage(options.tables)),
        autocompletion({ icons: false, aboveCursor: false }),
        tooltips({ position: 'absolute' }),
        keymap.of([...completionKeymap, { key: 'Tab', run: acceptOpen }, ...KEYS]),
        theme,
        EditorView.contentAttributes.of({
          'aria-label': options.label,
          'aria-description': options.hint,
          spellcheck: 'false',
          autocapitalize: 'off',
          autocorrect: 'off',
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onChange(update.state.doc.toString())
        }),
      ],
    }),
  })
  const keepKeys = (event: KeyboardEvent) => {
    // Outside, the target is the host: the page would take letters for its shortcuts.
    if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation()
  }
  host.addEventListener('keydown', keepKeys)
  return {
    setText(text) {
      if (text === view.state.doc.toString()) return
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
    },
    showError(at) {
      view.dispatch({ effects: setError.of(at) })
    },
    goTo(at) {
      const anchor = Math.min(at, view.state.doc.length)
      view.dispatch({ selection: { anchor }, scrollIntoView: true })
      view.focus()
    },
    focus: () => view.focus(),
    setTables(tables) {
      view.dispatch({ effects: schema.reconfigure(toLanguage(tables)) })
    },
    destroy() {
      host.removeEventListener('keydown', keepKeys)
      view.destroy()
    },
  }
}

/** Tab leaves the editor, unless it takes a completion. */
const KEYS = [...historyKeymap, ...defaultKeymap]

const acceptOpen = (view: EditorView) =>
  completionStatus(view.state) === 'active' && acceptCompletion(view)

function run(onRun: () => void): true {
  onRun()
  return true
}

function toLanguage(tables: readonly CompletedTable[]) {
  const schema = Object.fromEntries(
    tables.map(({ name, meaning, columns }) => [
      name,
      {
        self: { label: name, type: 'type', detail: 'table', info: meaning },
        children: columns.map((column) => ({
          label: column.name,
          type: 'property',
          detail: column.type,
          info: column.meaning,
        })),
      },
    ]),
  )
  // Columns are offered without their table, too: most queries have one.
  const columns = new Map(tables.flatMap((table) => table.columns.map((one) => [one.name, one])))
  const names = [...columns.values()].map(({ name, type, meaning }) => ({
    label: name,
    type: 'property',
    detail: type,
    info: meaning,
    boost: 1,
  }))
  const others = { options: [...names, ...COMPLETED_FUNCTIONS], validFor: /^\w*$/ }
  const { language } = DUCKDB
  return [
    sql({ dialect: DUCKDB, upperCaseKeywords: true }).language,
    language.data.of({ autocomplete: schemaCompletionSource({ dialect: DUCKDB, schema }) }),
    language.data.of({ autocomplete: keywordCompletionSource(DUCKDB, true) }),
    language.data.of({
      autocomplete: (context: Parameters<ReturnType<typeof keywordCompletionSource>>[0]) => {
        const word = context.matchBefore(/\w+/)
        const isOpen = context.explicit || (word !== null && word.text.length > 1)
        const node = syntaxTree(context.state).resolveInner(context.pos, -1)
        const isText = /String|Comment|Number/.test(node.name)
        const isOfTable = word !== null && context.state.sliceDoc(word.from - 1, word.from) === '.'
        if (!isOpen || isText || isOfTable) return null
        return { from: word?.from ?? context.pos, ...others }
      },
    }),
  ]
}

const setError = StateEffect.define<number | null>()

const errorMark = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    const given = transaction.effects.find((effect) => effect.is(setError))
    if (given?.is(setError)) return toMark(transaction.state, given.value)
    return transaction.docChanged ? Decoration.none : marks
  },
  provide: (field) => EditorView.decorations.from(field),
})

function toMark(state: EditorState, at: number | null): DecorationSet {
  const { length } = state.doc
  if (at === null || length === 0) return Decoration.none
  // The end of the query has no character: the last one is marked.
  const from = Math.min(at, length - 1)
  const word = state.wordAt(from)
  const to = word && word.to > from ? word.to : from + 1
  return Decoration.set(Decoration.mark({ class: 'cm-sql-error' }).range(from, to))
}

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

const theme = [look, syntaxHighlighting(highlight)]

/** What DuckDB has beyond PostgreSQL. */
const KEYWORDS =
  'anti asof exclude glob ilike macro pivot positional qualify replace semi summarize try_cast unpivot'
const TYPES =
  'hugeint tinyint utinyint usmallint uinteger ubigint uhugeint varchar blob double struct map list'

/** Name, arguments, meaning. */
const FUNCTIONS: readonly (readonly [name: string, takes: string, meaning: string])[] = [
  ['count', '(value)', 'rows, or values that are not NULL'],
  ['sum', '(value)', 'sum'],
  ['avg', '(value)', 'mean'],
  ['min', '(value)', 'smallest value'],
  ['max', '(value)', 'largest value'],
  ['median', '(value)', 'middle value'],
  ['mode', '(value)', 'most frequent value'],
  ['quantile_cont', '(value, share)', 'interpolated quantile'],
  ['stddev', '(value)', 'standard deviation'],
  ['corr', '(y, x)', 'correlation'],
  ['regr_slope', '(y, x)', 'slope of the regression line'],
  ['arg_max', '(value, by)', 'value where “by” is largest'],
  ['arg_min', '(value, by)', 'value where “by” is smallest'],
  ['bool_and', '(value)', 'true if all are true'],
  ['bool_or', '(value)', 'true if any is true'],
  ['string_agg', '(value, separator)', 'texts joined'],
  ['list', '(value)', 'list of the values'],
  ['approx_count_distinct', '(value)', 'distinct values, estimated'],
  ['histogram', '(value)', 'counts per value'],
  ['row_number', '() OVER (…)', 'number of the row in its window'],
  ['rank', '() OVER (…)', 'rank in the window, with gaps'],
  ['dense_rank', '() OVER (…)', 'rank in the window'],
  ['ntile', '(parts) OVER (…)', 'part of the window'],
  ['lag', '(value) OVER (…)', 'value of the previous row'],
  ['lead', '(value) OVER (…)', 'value of the next row'],
  ['first_value', '(value) OVER (…)', 'first value in the window'],
  ['last_value', '(value) OVER (…)', 'last value in the window'],
  ['coalesce', '(value, …)', 'first value that is not NULL'],
  ['nullif', '(a, b)', 'NULL if equal'],
  ['greatest', '(value, …)', 'largest argument'],
  ['least', '(value, …)', 'smallest argument'],
  ['round', '(value, digits)', 'rounded'],
  ['floor', '(value)', 'next lower whole number'],
  ['ceil', '(value)', 'next higher whole number'],
  ['abs', '(value)', 'without its sign'],
  ['sign', '(value)', '−1, 0 or 1'],
  ['sqrt', '(value)', 'square root'],
  ['ln', '(value)', 'natural logarithm'],
  ['date_trunc', "('month', time)", 'start of the period'],
  ['date_part', "('hour', time)", 'part of a time'],
  ['date_diff', "('day', from, to)", 'boundaries between two times'],
  ['time_bucket', '(width, time)', 'start of the bucket'],
  ['strftime', "(time, '%Y-%m')", 'time as text'],
  ['dayname', '(time)', 'name of the weekday'],
  ['hour', '(time)', 'hour, 0 to 23'],
  ['year', '(time)', 'year'],
  ['month', '(time)', 'month, 1 to 12'],
  ['epoch', '(time)', 'seconds since 1970'],
  ['now', '()', 'the current time'],
  ['length', '(text)', 'characters'],
  ['lower', '(text)', 'in lower case'],
  ['upper', '(text)', 'in upper case'],
  ['starts_with', '(text, start)', 'true if it begins so'],
  ['contains', '(text, part)', 'true if it contains the part'],
  ['regexp_matches', '(text, pattern)', 'true if the pattern matches'],
  ['concat', '(text, …)', 'texts joined'],
  ['unnest', '(list)', 'a row per element'],
  ['range', '(from, to)', 'whole numbers'],
  ['generate_series', '(from, to, step)', 'values with both ends'],
]

const COMPLETED_FUNCTIONS = FUNCTIONS.map(([label, detail, info]) => ({
  label,
  detail,
  info,
  type: 'function',
  apply: `${label}(`,
}))

const DUCKDB = SQLDialect.define({
  ...PostgreSQL.spec,
  keywords: `${PostgreSQL.spec.keywords ?? ''} ${KEYWORDS}`,
  types: `${PostgreSQL.spec.types ?? ''} ${TYPES}`,
  caseInsensitiveIdentifiers: true,
  doubleDollarQuotedStrings: true,
})
