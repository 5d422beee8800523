import type { QuizPlan } from '#src/areas/learning/index.ts'

const starters: QuizPlan = {
  passing_percentage: 60,
  max_attempts: 5,
  questions: [
    {
      input: {
        kind: 'single',
        prompt: 'What lives in a starter?',
        choices: [
          { text: 'Yeast and bacteria', is_correct: true },
          { text: 'Yeast alone', is_correct: false },
        ],
        explanation: 'The bacteria make it sour.',
      },
    },
    {
      input: { kind: 'number', prompt: 'How many grams of water feed 100 g of flour?', value: '100', tolerance: '10' },
    },
    { input: { kind: 'text', prompt: 'How does yours smell today?', grading: 'manual', points: 2 } },
  ],
}

const loaves: QuizPlan = {
  passing_percentage: 75,
  show_answers: 'after_attempt',
  questions: [
    {
      input: {
        kind: 'multiple',
        prompt: 'Which of these tell you that the dough has risen enough?',
        points: 2,
        choices: [
          { text: 'It has grown by half', is_correct: true },
          { text: 'It trembles when you move the bowl', is_correct: true },
          { text: 'Four hours have passed', is_correct: false },
          { text: 'It does not stick to anything', is_correct: false },
        ],
        explanation: 'The clock knows nothing of your kitchen: at 20 °C it may take seven hours.',
      },
    },
    {
      input: {
        kind: 'number',
        prompt: 'A loaf of 500 g of flour is to have 70 % of water. How many grams is that?',
        value: '350',
        explanation: 'Percentages are of the flour: 500 × 0.7.',
      },
    },
    {
      input: {
        kind: 'text',
        prompt: 'What delays the crust in the oven, so that the loaf can rise?',
        accepted_answers: ['steam', 'vapour', 'vapor'],
        explanation: 'Steam keeps the surface moist.',
      },
    },
  ],
}

const layers: QuizPlan = {
  passing_percentage: 50,
  shuffle_choices: true,
  shuffle_questions: true,
  time_limit_seconds: 300,
  questions: [
    {
      input: {
        kind: 'number',
        prompt: 'How many layers of butter are there after the third turn?',
        value: '27',
        explanation: 'Each turn makes three of one: 3 × 3 × 3.',
      },
    },
    {
      input: {
        kind: 'single',
        prompt: 'The butter shows through the dough. What now?',
        choices: [
          { text: 'More flour, and go on quickly', is_correct: false },
          { text: 'Into the fridge, and wait', is_correct: true },
          { text: 'Knead it in', is_correct: false },
        ],
        explanation: 'Butter that is too warm is no layer any more.',
      },
    },
  ],
}

const broa: QuizPlan = {
  passing_percentage: 50,
  questions: [
    {
      input: {
        kind: 'single',
        prompt: 'Porque se escalda a farinha de milho?',
        choices: [
          { text: 'Para o amido segurar a água', is_correct: true },
          { text: 'Para matar o fermento', is_correct: false },
          { text: 'Para a broa ficar mais branca', is_correct: false },
        ],
        explanation: 'Sem água quente o milho não liga, e a broa esfarela-se.',
      },
    },
    {
      input: {
        kind: 'multiple',
        prompt: 'Que farinhas leva esta broa?',
        choices: [
          { text: 'Milho', is_correct: true },
          { text: 'Centeio', is_correct: true },
          { text: 'Trigo', is_correct: true },
          { text: 'Arroz', is_correct: false },
        ],
      },
    },
  ],
}

/** The quizzes of the demo, by the names of their lessons. */
export const quizzes: Readonly<Record<string, QuizPlan>> = {
  'What you know of starters': starters,
  'What you know of loaves': loaves,
  'Butter and layers': layers,
  'O que já sabes da broa': broa,
}
