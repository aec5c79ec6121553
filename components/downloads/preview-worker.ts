import { parsePreview } from './parse-preview.ts'

self.onmessage = ({ data }: MessageEvent<{ bytes: ArrayBuffer; isWhole: boolean }>) => {
  self.postMessage(parsePreview(data.bytes, data.isWhole))
}
