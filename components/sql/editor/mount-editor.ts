import {
  acceptCompletion,
  autocompletion,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { keywordCompletionSource, schemaCompletionSource, sql } from '@codemirror/lang-sql'
import { bracketMatching, syntaxTree } from '@codemirror/language'
import { EditorState, Prec, StateEffect, StateField } from '@codemirror/state'
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
import { COMPLETED_FUNCTIONS, DUCKDB } from './dialect.ts'
import { theme } from './theme.ts'

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
  destroy(): void
}

/**
 * In a shadow root, where styles are adopted sheets: the content security policy forbids the style
 * elements that CodeMirror adds to documents.
 */
export function mountEditor(host: HTMLElement, options: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  root.replaceChildren()
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
        toLanguage(options.tables),
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
