'use client'

import { type DragEvent, useState } from 'react'
import { readFileText } from './read-file-text.ts'

/** A file or text that is dropped on something, as text; null before that. `onDrop` is called when one comes. */
export function useDropped(onDrop: () => void) {
  const [text, setText] = useState<string | null>(null)
  const isForUs = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  return {
    text,
    forget: () => setText(null),
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (isForUs(event)) event.preventDefault()
      },
      onDrop: (event: DragEvent) => {
        const [file] = event.dataTransfer.files
        if (!isForUs(event) || !file) return
        event.preventDefault()
        onDrop()
        void readFileText(file).then(setText)
      },
    },
  }
}
