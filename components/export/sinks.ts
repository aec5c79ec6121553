import { saveFile } from '#components/ui/save-file.ts'

/** Where a file goes as it comes. Nothing of it is seen before `keep`. */
export type Sink = {
  write(chunk: Uint8Array<ArrayBuffer>): Promise<void>
  /** Makes it a file and gives the name that it has. */
  keep(name: string): Promise<string>
  discard(): Promise<void>
}

/** From so many bytes on, parts are handed to the browser, which may put them on the disk. */
const PART_BYTES = 16_000_000

/** Holds the file and then hands it to the browser's own downloads. */
export function createHeldSink(type: string, save = saveFile): Sink {
  let blobs: Blob[] = []
  let parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  return {
    async write(chunk) {
      parts.push(chunk)
      bytes += chunk.byteLength
      if (bytes < PART_BYTES) return
      blobs.push(new Blob(parts))
      parts = []
      bytes = 0
    },
    async keep(name) {
      save(new Blob([...blobs, ...parts], { type }), name)
      return name
    },
    async discard() {
      blobs = []
      parts = []
    },
  }
}

type PickOptions = { suggestedName?: string }

/** What of the File System Access API is used; only some browsers have it, and only on a secure page. */
declare global {
  interface Window {
    showSaveFilePicker?: (options?: PickOptions) => Promise<FileSystemFileHandle>
  }
  interface FileSystemFileHandle {
    remove?: () => Promise<void>
  }
}

export const canPickFile = (): boolean => typeof window.showSaveFilePicker === 'function'

/**
 * Lets the reader choose a file, which is then written as it comes. Null where he chose none. Has to be called while
 * he is acting.
 */
export async function openPickedSink(suggestedName: string): Promise<Sink | null> {
  let handle: FileSystemFileHandle | undefined
  try {
    handle = await window.showSaveFilePicker?.({ suggestedName })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null
    throw error
  }
  return handle ? await openHandleSink(handle) : null
}

async function openHandleSink(handle: FileSystemFileHandle): Promise<Sink> {
  const file = await handle.createWritable()
  return {
    write: async (chunk) => await file.write(chunk),
    async keep() {
      await file.close()
      return handle.name
    },
    async discard() {
      await file.abort().catch(() => {})
      // To choose it has made it, empty: an empty file would look like an answer.
      await handle.remove?.()
    },
  }
}
