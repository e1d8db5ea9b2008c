import tseslint from 'typescript-eslint';

const noDefaultExports = { selector: 'ExportDefaultDeclaration', message: 'Export by name.' };
const noMocks = {
  selector: "CallExpression[callee.object.name='jest'][callee.property.name=/^(mock|spyOn|fn|doMock)$/]",
  message: 'Test with real collaborators.',
};

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'coverage/**',
      'node_modules/**',
      '**/*.cjs',
      '**/*.mjs',
      '**/*.js',
      'examples/**',
      'scripts/tarball/**',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { project: ['./tsconfig.json', './src/window/tsconfig.json'] } },
    rules: {
      complexity: ['error', 12],
      'max-lines': ['error', { max: 800, skipBlankLines: false, skipComments: false }],
      'no-console': 'error',
      'no-restricted-syntax': ['error', noDefaultExports, noMocks],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  { files: ['src/cli/**'], rules: { 'no-console': 'off' } },
  { files: ['spec/*.rules.ts', 'packs/*/rules.ts'], rules: { 'no-restricted-syntax': ['error', noMocks] } },
  {
    files: ['test/**'],
    rules: {
      'max-lines': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
