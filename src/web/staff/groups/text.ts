import type { Phrase } from '#src/contract/language.ts'
import { teachingText } from '../teaching/text.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages of groups, in every language; `{…}` is filled in. */
export const groupsText = {
  title: say('Groups', 'Grupos'),
  about: say('People who get courses and products together', 'Pessoas que recebem cursos e produtos em conjunto'),
  search: say('Search by name', 'Procurar por nome'),
  none: say('No groups found.', 'Nenhum grupo encontrado.'),
  empty: say('There are no groups yet.', 'Ainda não há grupos.'),
  found: say('Found', 'Resultados'),
  all: say('All groups', 'Todos os grupos'),
  members: { one: say('1 member', '1 membro'), other: say('{n} members', '{n} membros') },
  items: { one: say('opens 1 item', 'abre 1 artigo'), other: say('opens {n} items', 'abre {n} artigos') },
  add: say('Create a group', 'Criar um grupo'),
  create: say('Create', 'Criar'),
  name: say('Name', 'Nome'),
  description: say('What it is for (optional)', 'Para que serve (opcional)'),
  settings: say('Settings', 'Definições'),
  edit: say('Name and description', 'Nome e descrição'),
  save: say('Save', 'Guardar'),
  memberList: say('Members ({n})', 'Membros ({n})'),
  noMembers: say('Nobody is in the group yet.', 'Ainda ninguém está no grupo.'),
  itemList: say('What the group opens', 'O que o grupo abre'),
  noItems: say('The group opens nothing yet.', 'O grupo ainda não abre nada.'),
  findMember: say('Add a member: search by name or address', 'Acrescentar um membro: procurar por nome ou endereço'),
  findItem: say('Open a course or product: search by name', 'Abrir um curso ou produto: procurar por nome'),
  noOne: say('No members found.', 'Nenhum membro encontrado.'),
  nothing: say('No published course or product was found.', 'Nenhum curso ou produto publicado foi encontrado.'),
  addMember: say('Add', 'Acrescentar'),
  openItem: say('Open', 'Abrir'),
  remove: say('Remove', 'Retirar'),
  removedItem: say('Something that was removed', 'Algo que foi retirado'),
  types: {
    course: say('course', 'curso'),
    digital_product: say('product', 'produto'),
    event: say('event', 'evento'),
  },
  effect: say(
    'Every member of the group has access to what it opens, for as long as both are so.',
    'Cada membro do grupo tem acesso ao que ele abre, enquanto ambos o forem.',
  ),
  end: say('Delete the group', 'Apagar o grupo'),
  endAbout: say(
    'Its members lose the access that the group gave. What they have otherwise stays.',
    'Os seus membros perdem o acesso que o grupo dava. O que têm por outra via mantém-se.',
  ),
  delete: say('Delete', 'Apagar'),
  back: say('Back to the groups', 'Voltar aos grupos'),
  done: {
    created: say('The group was created.', 'O grupo foi criado.'),
    save: say('The group was changed.', 'O grupo foi alterado.'),
    add_member: say('The member was added.', 'O membro foi acrescentado.'),
    remove_member: say('The member was removed from the group.', 'O membro foi retirado do grupo.'),
    add_item: say('The group opens it now.', 'O grupo abre-o agora.'),
    remove_item: say('The group no longer opens it.', 'O grupo deixou de o abrir.'),
    deleted: say('The group was deleted.', 'O grupo foi apagado.'),
  },
} as const

/** The sentences for refusals on these pages. */
export const groupRefusals = {
  ...teachingText.refusals,
  group_name_taken: say(
    'Another group has this name. Choose another one.',
    'Outro grupo tem este nome. Escolha outro.',
  ),
  unknown_item: say('This cannot be opened any more.', 'Isto já não pode ser aberto.'),
  'invalid_body name': say('Please enter a name.', 'Escreva um nome.'),
  'invalid_body description': say('The description is too long.', 'A descrição é demasiado longa.'),
} as const
