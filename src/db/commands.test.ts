import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitCommands } from './commands.ts'

const examples: Readonly<Record<string, readonly [text: string, commands: readonly string[]]>> = {
  'semicolons part commands, the last one may lack it': ['select 1; select 2', ['select 1', 'select 2']],
  'nothing but blanks and comments is no command': ['  ;\n-- nothing;\n/* nor; this */ ;', []],
  'comments stay with the command behind them': ['-- one; two\nselect 1;', ['-- one; two\nselect 1']],
  'texts may hold semicolons and quotes': [`select 'a;''b;'; select 2`, [`select 'a;''b;'`, 'select 2']],
  'escaped texts may hold escaped quotes': [
    String.raw`select e'a\';b'; select 2`,
    [String.raw`select e'a\';b'`, 'select 2'],
  ],
  'names may hold semicolons': ['select 1 as "a;b"; select 2', ['select 1 as "a;b"', 'select 2']],
  'bodies of functions are one text': [
    'create function f() as $$ begin; return; end $$; select 2',
    ['create function f() as $$ begin; return; end $$', 'select 2'],
  ],
  'bodies may hold dollars of another name': [
    'do $a$ select $$;$$; $a$; select 2',
    ['do $a$ select $$;$$; $a$', 'select 2'],
  ],
}

for (const [name, [text, commands]] of Object.entries(examples))
  test(name, () => assert.deepEqual(splitCommands(text), commands))
