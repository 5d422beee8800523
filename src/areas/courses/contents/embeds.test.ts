import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseEmbed } from './embeds.rules.ts'

test('an embed is an https address of a known provider, shown by its player; everything else is none', () => {
  const shown: [string, string][] = [
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=3', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://youtu.be/dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://YOUTUBE.com/shorts/dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://vimeo.com/123456789/abcdef1234', 'https://player.vimeo.com/video/123456789?h=abcdef1234'],
    [
      'https://open.spotify.com/episode/0123456789abcdefghijAB',
      'https://open.spotify.com/embed/episode/0123456789abcdefghijAB',
    ],
  ]
  for (const [said, player] of shown) assert.equal(parseEmbed(said)?.url, player)
  for (const said of [
    'http://www.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
    'https://evil.example/?https://youtu.be/dQw4w9WgXcQ',
    'https://youtube.com@evil.example/watch?v=dQw4w9WgXcQ',
    'https://youtu.be:8443/dQw4w9WgXcQ',
    'https://www.youtube.com/redirect?q=https://evil.example',
    'https://www.youtube.com/watch?v="><script>',
    'javascript:alert(1)//youtu.be/dQw4w9WgXcQ',
    'https://169.254.169.254/latest',
    '',
  ])
    assert.equal(parseEmbed(said), undefined, said)
})
