// Receives the webhooks of a school on this computer: WEBHOOK_SECRET=whsec_… node examples/receive-webhooks.mjs 4000
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '')
const seen = new Set()

createServer(async (request, response) => {
  try {
    const fact = webhook.verify(await text(request), request.headers)
    // A fact comes again when our answer did not arrive.
    if (!seen.has(fact.id)) console.log(JSON.stringify(fact))
    seen.add(fact.id)
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end()
  }
}).listen(Number(process.argv[2]), '127.0.0.1')
