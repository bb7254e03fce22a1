// Runs the samples of the guide that are marked with "run": those for Node, and with SOAK=1 those
// of every language, whose programs must then be installed (bash with curl, python3, go, php).
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { inherited, startService, type Service } from '../support/service.ts'

const isSoak = process.env['SOAK'] === '1'
const guideDir = join(import.meta.dirname, '..', '..', '..', 'docs', 'guide')

/** The language of a sample as in its fence, with the program that runs it. */
type Language = {
  name: string
  command: string
  args: readonly string[]
  file: string
  /** Calls `verify` of a sample with a call from standard input, and prints the id of its event. */
  verifier?: (sample: string) => string
}

const ourClient = import.meta.resolve('@everscan/client/create-client.ts')

const languages: readonly Language[] = [
  { name: 'sh', command: 'bash', args: ['-euo', 'pipefail'], file: 'sample.sh' },
  {
    name: 'js',
    command: process.execPath,
    args: [],
    file: 'sample.mjs',
    verifier: (sample) => `${sample}
const { secret, headers, body } = JSON.parse(await new Response(process.stdin).text())
console.log((await verify(secret, headers, body)).id)`,
  },
  {
    name: 'python',
    command: 'python3',
    args: [],
    file: 'sample.py',
    verifier: (sample) => `${sample}
import sys
call = json.load(sys.stdin)
print(verify(call["secret"], call["headers"], call["body"].encode())["id"])`,
  },
  {
    name: 'go',
    command: 'go',
    args: ['run'],
    file: 'sample.go',
    verifier: (sample) => `${sample.replace('import (', 'import (\n\t"fmt"\n\t"log"\n\t"os"')}
func main() {
	var call struct {
		Secret  string
		Headers map[string]string
		Body    string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&call); err != nil {
		log.Fatal(err)
	}
	headers := http.Header{}
	for name, value := range call.Headers {
		headers.Set(name, value)
	}
	event, err := verify(call.Secret, headers, []byte(call.Body))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(event.ID)
}`,
  },
  {
    name: 'php',
    command: 'php',
    args: [],
    file: 'sample.php',
    verifier: (sample) => `${sample}
$call = json_decode(stream_get_contents(STDIN), true);
echo verify($call['secret'], $call['headers'], $call['body'])['id'], "\\n";`,
  },
]

/** Returns the blocks of a page that are marked with "run", by language. */
function samplesOf(page: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(guideDir, page), 'utf8')
  const blocks = [...text.matchAll(/^```(\w+) run\n([^]*?)^```$/gm)]
  return new Map(
    blocks.map(([, language = '', block = '']) => [
      language,
      block.replaceAll("'@everscan/client'", `'${ourClient}'`),
    ]),
  )
}

describe('samples of the guide', { concurrency: 1 }, () => {
  let service: Service
  let directory: string
  before(async () => {
    service = await startService()
    directory = mkdtempSync(join(tmpdir(), 'everscan-guide-'))
  })
  after(async () => {
    await service.remove()
    rmSync(directory, { recursive: true, force: true })
  })

  const run = async (language: Language, program: string, input = ''): Promise<string> => {
    writeFileSync(join(directory, language.file), program)
    return runProgram(language, {
      cwd: directory,
      input,
      env: {
        ...inherited(),
        HOME: directory,
        EVERSCAN_URL: service.baseUrl,
        EVERSCAN_API_KEY: service.apiKey,
      },
    })
  }

  test('each page has its samples, in each language that it names', () => {
    const names = languages.map(({ name }) => name)
    assert.deepEqual([...samplesOf('api.md').keys()], names)
    assert.deepEqual([...samplesOf('webhooks.md').keys()], names.slice(1))
    assert.deepEqual([...samplesOf('moves.md').keys()], ['sh'])
  })

  for (const language of isSoak ? languages : languages.filter(({ name }) => name === 'js')) {
    test(`${language.name}: creates a code, changes it, saves its picture and reads its scans`, async () => {
      rmSync(join(directory, 'code.svg'), { force: true })
      const output = await run(language, samplesOf('api.md').get(language.name) ?? '')
      const [, shortCode = ''] = /^http:\/\/localhost:\d+\/([0-9A-Z]{7})\nscans: 0\n?$/.exec(output) ?? []
      assert.notEqual(shortCode, '', output)
      const scan = await fetch(`${service.baseUrl}/${shortCode}`, { redirect: 'manual' })
      assert.equal(scan.headers.get('location'), 'https://example.com/evening')
      assert.match(readFileSync(join(directory, 'code.svg'), 'utf8'), /^<svg[^>]* width="40mm"/)
    })

    const { verifier } = language
    if (verifier === undefined) continue
    test(`${language.name}: verifies the signature of a call, and refuses others`, async () => {
      const program = verifier(samplesOf('webhooks.md').get(language.name) ?? '')
      const good = signedCall(new Date())
      assert.equal(await run(language, program, JSON.stringify(good)), 'evt_1\n')
      const bad = [
        { ...good, body: good.body.replace('evt_1', 'evt_2') },
        { ...good, secret: `whsec_${Buffer.alloc(24, 2).toString('base64')}` },
        { ...good, headers: { ...good.headers, 'webhook-id': 'evt_2' } },
        signedCall(new Date(Date.now() - 301_000)),
        signedCall(new Date(Date.now() + 360_000)),
      ]
      for (const call of bad) await assert.rejects(run(language, program, JSON.stringify(call)))
    })
  }

  if (isSoak)
    test('moves: creates the codes of a file with their short codes, and names what fails', async () => {
      const [shell] = languages.filter(({ name }) => name === 'sh')
      assert.ok(shell)
      const rows = [
        'shortCode,url,title',
        'spring26,https://example.com/spring,Spring',
        'a_b,https://example.com/,',
      ]
      writeFileSync(join(directory, 'links.csv'), `${rows.join('\n')}\n`)
      const output = await run(shell, samplesOf('moves.md').get('sh') ?? '')
      assert.match(output, /^\ufeff?shortCode,url,title,row,error\r\na_b,.*cannot be a short code here/)
      const scan = await fetch(`${service.baseUrl}/Spring26`, { redirect: 'manual' })
      assert.equal(scan.headers.get('location'), 'https://example.com/spring')
    })
})

/** A call as the service makes it, signed by the library of the specification. */
function signedCall(at: Date): { secret: string; headers: Record<string, string>; body: string } {
  const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
  const body = JSON.stringify({ id: 'evt_1', event: 'qr.scanned', data: { city: 'Zürich' } })
  const signature = new Webhook(secret).sign('evt_1', at, body)
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    // Another signature comes first during the rotation of a secret.
    'webhook-signature': `v1,AAAA ${signature}`,
  }
  return { secret, headers, body }
}

/** Returns the standard output of a program. Rejects with its errors if it fails. */
function runProgram(
  { command, args, file }: Language,
  { cwd, input, env }: { cwd: string; input: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, file], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
    let output = ''
    let errors = ''
    child.stdout.on('data', (text) => (output += String(text)))
    child.stderr.on('data', (text) => (errors += String(text)))
    child.on('error', reject)
    child.on('close', (status) =>
      status === 0
        ? resolve(output)
        : reject(new Error(`${command} ended with ${status}: ${errors}${output}`)),
    )
    // A program that fails early does not read its input.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}
