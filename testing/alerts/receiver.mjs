import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

let mode = 'well'
let secret = ''
const got = []
const counts = { requests: 0 }

const server = createServer((request, response) => {
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    const body = Buffer.concat(parts).toString('utf8')
    if (request.headers['x-control'] !== undefined) return control(request, response, body)
    counts.requests += 1
    answer(request, response, body)
  })
})

function control(request, response, body) {
  if (request.method === 'POST') {
    const wanted = JSON.parse(body)
    mode = wanted.mode ?? mode
    secret = wanted.secret ?? secret
    if (wanted.forget) {
      got.length = 0
      counts.requests = 0
      delete counts.flooded
    }
  }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ got, ...counts }))
}

function answer(request, response, body) {
  if (mode === 'failing') return response.writeHead(500).end('no')
  if (mode === 'busy') return response.writeHead(429, { 'retry-after': '7200' }).end()
  if (mode === 'gone') return response.writeHead(410).end()
  if (mode === 'bad') return response.writeHead(400).end()
  if (mode === 'redirecting') return response.writeHead(307, { location: '/elsewhere' }).end()
  if (mode === 'stalling') return undefined
  // Mattermost rejects custom types without this prefix.
  if (mode === 'mattermost' && !/^(?:custom_|$)/.test(JSON.parse(body).type ?? '')) {
    return response.writeHead(500).end()
  }
  if (mode === 'picky' && body.includes('POISON')) return response.writeHead(500).end()
  if (mode === 'strict' && body.includes('POISON')) return response.writeHead(422).end()
  note(request, body)
  if (mode === 'deaf') return request.socket.destroy()
  response.writeHead(200)
  if (mode === 'flooding') return flood(response)
  response.end('ok')
}

function flood(response) {
  const piece = Buffer.alloc(1 << 20)
  let left = 1024
  counts.flooded = 0
  const write = () => {
    while (left > 0) {
      left -= 1
      counts.flooded += 1
      if (!response.write(piece)) return response.once('drain', write)
    }
    response.end()
  }
  response.on('error', () => {})
  write()
}

function note({ headers, url, method }, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers
  let isSigned = true
  const clock = Date.now
  const isFresh = Math.abs(clock() / 1000 - Number(timestamp)) < 60
  // Tests have their own clocks: only the signature matters.
  Date.now = () => Number(timestamp) * 1000
  try {
    new Webhook(secret).verify(body, headers)
  } catch {
    isSigned = false
  }
  Date.now = clock
  got.push({ id, url, method, isSigned, isFresh, headers, body: JSON.parse(body) })
}

server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
process.on('disconnect', () => process.exit(0))
