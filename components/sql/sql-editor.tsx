'use client'

import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import { useCommandKey } from '#components/ui/keyboard-shortcuts.ts'
import type { CompletedTable, Editor, mountEditor } from './editor/mount-editor.ts'

export type SqlEditorHandle = Pick<Editor, 'focus' | 'goTo'>

type SqlEditorProps = {
  /** Replaces what is written when it changes. */
  text: string
  errorAt: number | null
  tables: readonly CompletedTable[]
  onChange: (text: string) => void
  onRun: () => void
  ref: Ref<SqlEditorHandle>
}

const LABEL = 'SQL query'
const LINES = 7
const LINE_PX = 20

/** A plain text field before the editor has loaded, and if it cannot. */
export function SqlEditor({ text, errorAt, tables, onChange, onRun, ref }: SqlEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const caret = useRef<number | null>(null)
  const [editor, setEditor] = useState<Editor | null>(null)
  const command = useCommandKey()
  const hint = `${command === '⌘' ? 'Command' : 'Control'} Enter runs the query. Tab leaves the editor.`
  const change = useEffectEvent(onChange)
  const run = useEffectEvent(onRun)
  const mount = useEffectEvent((load: { mountEditor: typeof mountEditor }) => {
    if (!host.current) return null
    const written = field.current?.value ?? text
    if (written !== text) change(written)
    const mounted = load.mountEditor(host.current, {
      text: written,
      label: LABEL,
      hint,
      tables,
      onChange: (next) => change(next),
      onRun: () => run(),
    })
    const isWriting = document.activeElement === field.current
    caret.current = isWriting ? (field.current?.selectionEnd ?? null) : null
    setEditor(mounted)
    return mounted
  })
  useEffect(() => {
    let mounted: Editor | null = null
    let hasLeft = false
    import('./editor/mount-editor.ts').then(
      (load) => {
        if (!hasLeft) mounted = mount(load)
      },
      () => undefined,
    )
    return () => {
      hasLeft = true
      mounted?.destroy()
      setEditor(null)
    }
  }, [])
  // The editor takes the focus only once it is visible.
  useEffect(() => {
    if (caret.current !== null) editor?.goTo(caret.current)
  }, [editor])
  const given = useRef(text)
  useEffect(() => {
    if (given.current === text) return
    given.current = text
    editor?.setText(text)
    if (field.current) field.current.value = text
  }, [editor, text])
  useEffect(() => editor?.showError(errorAt), [editor, errorAt])
  useImperativeHandle(ref, () => ({
    focus: () => (editor ?? field.current)?.focus(),
    goTo: (at) => {
      if (editor) return editor.goTo(at)
      field.current?.focus()
      field.current?.setSelectionRange(at, at)
    },
  }))
  return (
    <div style={{ '--editor-height': `${LINES * LINE_PX + 18}px` } as React.CSSProperties}>
      <textarea
        aria-label={LABEL}
        autoCapitalize="off"
        autoComplete="off"
        className={classNames(
          'block min-h-(--editor-height) w-full resize-none rounded-lg border border-line-2 bg-surface py-2 pr-2.5 pl-[42px] font-mono text-base [field-sizing:content]',
          editor && 'hidden',
        )}
        defaultValue={text}
        maxLength={100_000}
        name="q"
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          onRun()
        }}
        placeholder="SELECT …"
        ref={field}
        rows={LINES}
        spellCheck={false}
      />
      <div className={classNames(!editor && 'hidden')} data-editor ref={host} />
    </div>
  )
}
