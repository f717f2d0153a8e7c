import tseslint from 'typescript-eslint';

const markup = 'Names in models are text: never make markup of a string.';

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'src/api/wire.ts'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.strict, ...tseslint.configs.stylistic],
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', 400],
      '@typescript-eslint/no-explicit-any': 'error',
      'no-restricted-properties': [
        'error',
        { property: 'innerHTML', message: markup },
        { property: 'outerHTML', message: markup },
        { property: 'insertAdjacentHTML', message: markup },
        { object: 'document', property: 'write', message: markup },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: markup },
        { selector: "CallExpression[callee.name='eval']", message: markup },
      ],
    },
  },
);
