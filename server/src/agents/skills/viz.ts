import type { CallOperation } from '../../operation.ts';
import { parametersOf } from './parameters.ts';
import type { Tool } from './tool.ts';

/** Draws a chart. The user receives the picture, the model only a reference to it. */
export function chartTool(callOperation: CallOperation): Tool {
  return {
    name: 'render_chart',
    description: 'Draws a bar, line or pie chart from label and value points and shows it to the user.',
    parameters: parametersOf('renderPng'),
    isRepeatable: true,
    needsApproval: false,
    call: async (values, { caller }) => {
      const { body } = await callOperation('renderPng', { caller, body: values });
      const name = 'chart.png';
      return {
        content: JSON.stringify({ shown_to_user: name }),
        attachments: [{ media_type: 'image/png', name, data_base64: body.png_base64 }],
      };
    },
  };
}
