import type { Phrase } from '#src/contract/language.ts'
import { teachingText } from '../teaching/text.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages of categories, in every language; `{…}` is filled in. */
export const categoriesText = {
  title: say('Categories', 'Categorias'),
  about: say('The tree by which people find courses and products', 'A árvore pela qual se encontram cursos e produtos'),
  intro: say(
    'Courses and products are sorted into categories, at most four levels deep.',
    'Os cursos e produtos organizam-se em categorias, no máximo com quatro níveis.',
  ),
  none: say('There are no categories yet.', 'Ainda não há categorias.'),
  add: say('Add a category', 'Acrescentar uma categoria'),
  name: say('Name', 'Nome'),
  slug: say('Name in addresses', 'Nome nos endereços'),
  slugHint: say(
    'Small letters, digits and hyphens. The earlier one stops working.',
    'Letras minúsculas, algarismos e hífenes. O anterior deixa de funcionar.',
  ),
  description: say('Description', 'Descrição'),
  parent: say('Below', 'Dentro de'),
  top: say('Top level', 'Nível de topo'),
  save: say('Save', 'Guardar'),
  create: say('Add', 'Acrescentar'),
  up: say('Move up', 'Mover para cima'),
  down: say('Move down', 'Mover para baixo'),
  remove: say('Delete the category', 'Apagar a categoria'),
  removeAbout: say(
    'Deletes the category and removes it from its courses and products, which stay.',
    'Apaga a categoria e retira-a dos seus cursos e produtos, que se mantêm.',
  ),
  delete: say('Delete', 'Apagar'),
  back: say('Back to the categories', 'Voltar às categorias'),
  done: {
    created: say('The category was added.', 'A categoria foi acrescentada.'),
    saved: say('The category was changed.', 'A categoria foi alterada.'),
    moved: say('The order was changed.', 'A ordem foi mudada.'),
    deleted: say('The category was deleted.', 'A categoria foi apagada.'),
  },
} as const

/** The sentences for refusals on these pages. */
export const categoryRefusals = {
  ...teachingText.refusals,
  slug_taken: say(
    'Another category has this name in addresses. Choose another one.',
    'Outra categoria tem este nome nos endereços. Escolha outro.',
  ),
  category_not_empty: say(
    'The category has subcategories. Move or delete them first.',
    'A categoria tem subcategorias. Mova-as ou apague-as primeiro.',
  ),
  too_many_categories: say('There are too many categories.', 'Há demasiadas categorias.'),
  'invalid_body name': say(
    'Please enter a name, in at most 120 characters.',
    'Escreva um nome, no máximo com 120 caracteres.',
  ),
  'invalid_body slug': say(
    'The name in addresses has small letters, digits and hyphens.',
    'O nome nos endereços tem letras minúsculas, algarismos e hífenes.',
  ),
  'invalid_body parent_id': say(
    'A category cannot be there: there are four levels at most, and none is below itself.',
    'Uma categoria não pode ficar aí: há no máximo quatro níveis, e nenhuma fica dentro de si própria.',
  ),
  'invalid_body description': say('The description is too long.', 'A descrição é demasiado longa.'),
} as const
