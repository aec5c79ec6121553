import { get } from 'node:http'

const [base, path, count] = process.argv.slice(2)
const errors = []

const toHeaders = (index) => ({ 'x-forwarded-for': `10.0.${index >> 8}.${index & 255}` })

const listen = (_, index) =>
  new Promise((resolve) => {
    get(`${base}/api/events`, { headers: toHeaders(index) }, (response) => {
      if (response.statusCode !== 200) errors.push(`events: ${response.statusCode}`)
      response.once('data', resolve).on('error', (error) => errors.push(`events: ${error.message}`))
      response.on('end', () => errors.push('events: ended'))
    }).on('error', (error) => {
      errors.push(`events: ${error.message}`)
      resolve()
    })
  })

const download = (_, index) =>
  new Promise((resolve) => {
    const fail = (error) => {
      errors.push(`download: ${error.message}`)
      resolve()
    }
    get(`${base}${path}`, { headers: toHeaders(index) }, (response) => {
      let bytes = 0
      response.on('data', (chunk) => {
        bytes += chunk.byteLength
      })
      response.on('error', fail).on('end', () => {
        const whole = bytes === Number(response.headers['content-length'])
        if (response.statusCode !== 200 || !whole) errors.push(`download: ${bytes} bytes`)
        resolve()
      })
    }).on('error', fail)
  })

const all = (work) => Promise.all(Array.from({ length: Number(count) }, work))

await all(listen)
process.stdout.write('listening\n')
await all(download)
process.stdout.write(`downloaded ${JSON.stringify({ errors })}\n`)
process.exit(0)
