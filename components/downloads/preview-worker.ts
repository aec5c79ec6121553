import { parsePreview } from './parse-preview.ts'

/** Parses beside the page, which goes on listening however long the records are. */
self.onmessage = ({ data }: MessageEvent<{ bytes: ArrayBuffer; isWhole: boolean }>) => {
  self.postMessage(parsePreview(data.bytes, data.isWhole))
}
